import type { CommandRun } from '../contract/effects.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import { onlyReads } from '../shell/ways/readers.ts';
import { reasonWhyEmpty } from './run-output.ts';

/** Why a command that exited zero tested nothing, by its output; null if unknown. */
export async function reasonRanNothing(command: string, run: CommandRun): Promise<string | null> {
  if (run.ended !== 'exited' || run.exitCode !== 0) return null;
  const reason = reasonWhyEmpty(new TextDecoder().decode(run.output));
  if (reason === null) return null;
  const parse = await loadShellParser();
  return onlyReads(parse(command)) ? null : reason;
}
