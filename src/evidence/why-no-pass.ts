import type { CommandCriterion } from '../../schema/criteria.ts';
import { reasonRanNothing } from '../proof/ran-nothing.ts';
import { type PrintedSummary, printedSummaries } from './report/printed.ts';
import { whyNoTestRan } from './report/verdict.ts';
import type { Ran } from './run-command-of.ts';

/**
 * Why a run that exited as expected checked nothing or not everything; null for a pass.
 *
 * @param plainOutput output of the plain run right before, without reporters
 */
export async function whyNoPass(
  spec: CommandCriterion,
  ran: Ran,
  plainOutput?: string,
): Promise<string | null> {
  const empty = ran.run.exitCode === 0 ? await whyNothingRan(spec, ran) : null;
  return empty ?? (plainOutput === undefined ? null : whyOther(plainOutput, ran));
}

/** The runner's report decides; without one, its output. */
async function whyNothingRan(spec: CommandCriterion, ran: Ran): Promise<string | null> {
  const { run, report, command, isAsked } = ran;
  if (command === null) return null;
  if (report !== null) return whyNoTestRan(report, command);
  const printed = await reasonRanNothing(spec.command, run);
  return printed ?? (isAsked ? whyNoTestRan(null, command) : null);
}

/** Compares the printed counts of both runs, whatever the runner counts. */
function whyOther(plainOutput: string, { run }: Ran): string | null {
  const plain = printedSummaries(plainOutput);
  const asked = printedSummaries(Buffer.from(run.output).toString('utf8'));
  if (plain.length === 0 && asked.every(({ runner }) => PRINTS_MORE.includes(runner))) return null;
  const isAlike =
    plain.length === asked.length &&
    plain.every(({ ran }, index) => ran >= (asked[index]?.ran ?? 0));
  if (isAlike) return null;
  return `${told(asked)} when it was asked for their names, and ${told(plain)} when it was not`;
}

/** Runners that print more when asked for names than a configured reporter does. */
const PRINTS_MORE: readonly string[] = ['vitest'];

function told(summaries: readonly PrintedSummary[]): string {
  if (summaries.length === 0) return 'told of no test';
  const counts = summaries.map(({ ran }) => ran).join(' and ');
  return `ran ${counts} ${counts === '1' ? 'test' : 'tests'}`;
}
