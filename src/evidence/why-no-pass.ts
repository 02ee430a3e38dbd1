import type { CommandCriterion } from '../../schema/criteria.ts';
import { reasonRanNothing } from '../proof/ran-nothing.ts';
import { type PrintedSummary, printedSummaries } from './basis/report/printed.ts';
import { whyNoTestRan } from './basis/report/verdict.ts';
import type { Ran } from './run-command-of.ts';

/**
 * Why a run that exited as expected still checked nothing, or not all; null where it is a pass.
 *
 * @param plainOutput what the same command printed right before, without reporters
 */
export async function whyNoPass(
  spec: CommandCriterion,
  ran: Ran,
  plainOutput?: string,
): Promise<string | null> {
  const empty = ran.run.exitCode === 0 ? await whyNothingRan(spec, ran) : null;
  return empty ?? (plainOutput === undefined ? null : whyOther(plainOutput, ran));
}

/** The runner's own report has the word; without one, what it printed. */
async function whyNothingRan(spec: CommandCriterion, ran: Ran): Promise<string | null> {
  const { run, report, command, isAsked } = ran;
  if (command === null) return null;
  if (report !== null) return whyNoTestRan(report, command);
  const printed = await reasonRanNothing(spec.command, run);
  return printed ?? (isAsked ? whyNoTestRan(null, command) : null);
}

/** Both print for people, so that the counts compare whatever it is that a runner counts. */
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

/** Asked for names, it also prints what a configured reporter leaves out. */
const PRINTS_MORE: readonly string[] = ['vitest'];

function told(summaries: readonly PrintedSummary[]): string {
  if (summaries.length === 0) return 'told of no test';
  const counts = summaries.map(({ ran }) => ran).join(' and ');
  return `ran ${counts} ${counts === '1' ? 'test' : 'tests'}`;
}
