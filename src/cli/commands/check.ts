import { runCheck } from '../../app/check.ts';
import { checkText, runLine } from '../check-text.ts';
import type { ExitCode } from '../exit-code.ts';
import { type CommonOptions, print } from '../session.ts';
import { processTerminal } from '../terminal.ts';
import { interruptible } from '../until-ended.ts';

interface CheckOptions extends CommonOptions {
  readonly repo?: string;
  readonly base?: string;
  readonly head?: string;
  readonly criterion?: readonly string[];
  readonly change?: readonly string[];
  readonly keep?: readonly string[];
  readonly accept?: readonly string[];
  readonly acceptHeld?: boolean;
  readonly setup?: readonly string[];
  readonly allowDependencies?: boolean;
  readonly terms: boolean;
  readonly bundle?: string;
}

/** The judge alone: asks no service and no database. */
export async function check(options: CheckOptions): Promise<ExitCode> {
  const terminal = processTerminal();
  return await interruptible(async (signal) => {
    const onRun = (run: Parameters<typeof runLine>[0]) =>
      terminal.err(terminal.paint.dim(runLine(run)));
    const result = await runCheck(askedBy(options), process.env, onRun, signal);
    print({ terminal, isJson: options.json === true }, result, () => checkText(result));
    return result.exitCode as ExitCode;
  });
}

const askedBy = (options: CheckOptions): Parameters<typeof runCheck>[0] => ({
  repository: options.repo ?? '.',
  base: options.base ?? null,
  head: options.head ?? null,
  criteria: options.criterion ?? [],
  change: options.change ?? [],
  keep: options.keep ?? [],
  setup: options.setup ?? [],
  accept: options.accept ?? [],
  allowDependencies: options.allowDependencies === true,
  acceptsHeld: options.acceptHeld === true,
  readsTerms: options.terms,
  bundle: options.bundle ?? null,
});
