#!/usr/bin/env node
import '../process/closed-files.ts';
import { endSoon } from '../process/end-in-order.ts';
import { onClosedOutput } from '../process/hang-up.ts';
import { EXIT } from './exit-code.ts';
import { failureOf } from './failure.ts';
import { failureLines } from './failure-text.ts';
import { createProgram } from './program/program.ts';
import { errorLook } from './screen/result-look.ts';
import { processTerminal } from './terminal.ts';

// `goalkeeper list | head -1`: what ends in order at a signal does so, the rest at once.
onClosedOutput(() => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(EXIT.unread);
});
process.exitCode = await main(process.argv);
// A service that could not start, or broke, leaves no process behind by what it had opened.
if (process.exitCode !== EXIT.complete) endSoon();

async function main(argv: readonly string[]): Promise<number> {
  const state = { exitCode: EXIT.complete as number };
  try {
    await createProgram((exitCode) => {
      state.exitCode = exitCode;
    }).parseAsync([...argv]);
    return state.exitCode;
  } catch (error) {
    if (isCommanderExit(error)) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    return report(error, argv.includes('--json'));
  }
}

/** Commander has printed its own message; only the exit code is ours. */
function isCommanderExit(error: unknown): error is { code: string; exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

function report(error: unknown, isJson: boolean): number {
  const { what, field, wayOut, exitCode, json } = failureOf(error);
  const terminal = processTerminal();
  if (isJson) terminal.out(JSON.stringify({ error: json }));
  for (const text of failureLines({ what, field, wayOut }, errorLook())) terminal.err(text);
  return exitCode;
}
