import { randomInt } from 'node:crypto';
import type { Judge } from '../../../proof/canaries/judge.ts';
import { type Rounds, roundsOf } from '../../../proof/canaries/rounds.ts';
import type { CheckRun } from '../../run-check.ts';
import type { ProofOutcome } from '../check.ts';
import { endsWithWork, judgeOf } from '../judge-texts.ts';
import { whyHidden } from './comments.ts';
import { type CanaryFinding, deaf, type Verdict } from './finding.ts';
import { notAsked, notWhole, playRounds } from './play-rounds.ts';
import { type Asking, type Passed, type Runs, runsOf } from './runs.ts';
import { whyBlind } from './sight.ts';
import { listed } from './words.ts';

/** How the check ended on the original. */
interface Before {
  /** It passed there too, which has to notice as well. */
  readonly wasMet: boolean;
  /** The host had to end it there. */
  readonly wasEnded: boolean;
}

/**
 * Lets the judge expect something else and looks whether the check notices: numbers, truths and
 * strings of its own tests, data and command are other ones in a place of the host's. What bends
 * assertions, ends the process with 0 or reads the answers from the test passes all the same.
 *
 * @param outcome of the run that passed, with the names of its tests, and its command as it ran:
 *   alone it may fail, whatever the judge expects
 * @returns null where there is nothing to try: no command, or one that is to fail
 */
export async function tryCanaries(
  passed: Passed,
  { spec, last }: ProofOutcome,
  { wasMet, wasEnded }: Before,
): Promise<CanaryFinding | null> {
  if (last === undefined || spec.kind !== 'command' || (spec.expectExit ?? 0) !== 0) return null;
  const runs = await runsOf(passed, spec, last, wasEnded);
  const verdict = await judged(passed, spec.command, last, runs, wasMet);
  return { ...verdict, receipts: runs.receipts };
}

async function judged(
  { tree, scope }: Passed,
  command: string,
  last: CheckRun,
  runs: Runs,
  wasMet: boolean,
): Promise<Verdict> {
  const { tests, original, plainly } = runs;
  const failed = wasMet ? null : (await plainly(new Map(), 'original', original)).output;
  const holds = async (comments: ReadonlyMap<string | null, string>) =>
    (await plainly(comments, 'comments', original)).isMet;
  const hidden = wasMet ? null : await whyHidden(tree, scope, holds);
  if (hidden !== null) return deaf(hidden);
  const judge = await judgeOf(tree, scope, command, last, tests, failed);
  const rounds = roundsOf({ ...judge, lot });
  const unclear = whyUnclear(judge, rounds);
  if (unclear !== null) return deaf(unclear);
  const asking = { tree, scope, judge, failed, runs };
  return rounds.rounds.length > 0
    ? await playRounds(asking, rounds)
    : await withoutValues(asking, last);
}

/** By lot, so that no work knows what it will be asked. */
const lot = (count: number): number => (count === 0 ? 0 : randomInt(count));

/** What the host can't read of the judge, or does not know. */
function whyUnclear({ tests, unread }: Judge, { unplaced, unasked, mute }: Rounds): string | null {
  const texts = unread?.texts ?? [];
  if (texts.length > 0 && (tests.length === 0 || unplaced.length > 0)) return notWhole(texts);
  if (unasked.length > 0) {
    return `no text that the host reads says what these tests expect: ${listed(unasked)}`;
  }
  return mute.length === 0
    ? null
    : `the original failed where the host knows no opposite of what is demanded: ${listed(mute)}`;
}

/** The host finds no value by which it judges: it may look at files, or ask the work itself. */
async function withoutValues(asking: Asking, last: CheckRun): Promise<Verdict> {
  const { tree, scope, judge, failed, runs } = asking;
  if (failed !== null) {
    if (await endsWithWork(tree, scope, last)) return deaf(OWN_WORD);
    const run: Parameters<typeof whyBlind>[0]['run'] = (round, label) =>
      runs.plainly(round, label, tree);
    const blind = await whyBlind({ tree, scope, judge, failed, run });
    if (blind !== null) return deaf(blind);
  }
  return notAsked(judge, 'the host finds no value by which it judges');
}

const OWN_WORD = 'the work itself says whether it holds, and nothing is compared with it';
