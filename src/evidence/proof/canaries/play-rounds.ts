import type { Judge } from '../../../proof/canaries/judge.ts';
import type { Cases } from '../../../proof/canaries/parts.ts';
import type { Rounds } from '../../../proof/canaries/rounds.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import type { CheckRun } from '../../run-check.ts';
import type { ProofTree } from '../proof-tree.ts';
import type { ChangedRun } from '../run.ts';
import { whyNotHeld } from './control.ts';
import { deaf, type Verdict } from './finding.ts';
import { timesAsked } from './heard.ts';
import { ownNamesOf } from './own-words.ts';
import { otherDataOf, recordWants } from './recorded.ts';
import type { Asking, Runs } from './runs.ts';
import { whyOwnData } from './unread-data.ts';
import { listed, shown } from './words.ts';

interface Played {
  readonly round: Round;
  readonly ran: CheckRun;
}

/** Lets the check run with each round, till all that has to notice has noticed. */
export async function playRounds(asking: Asking, all: Rounds): Promise<Verdict> {
  const { tree, failed, runs } = asking;
  const { rounds, comparing, pinned, each } = all;
  const noticing = new Set<string>();
  const isSilent = (cases: Cases) =>
    cases.filter((test) => noticing.has(test)).length <
    Math.min(timesAsked(comparing, cases), cases.length);
  const isHeard = (at: number) =>
    at + 1 >= Math.min(pinned.length, rounds.length) &&
    noticing.size > 0 &&
    !comparing.some(isSilent);
  const played: Played[] = [];
  let spentMs = 0;
  for (const [at, round] of rounds.entries()) {
    if (spentMs >= runs.patienceSeconds * 1000) {
      return deaf(
        tooSlow(runs.patienceSeconds, at, at < pinned.length ? pinned.length : rounds.length),
      );
    }
    const asked = { round, label: `canary${at + 1}`, cases: pinned[at] ?? [], each: each[at] };
    const { ran, why } = await ask(runs, tree, asked);
    if (why !== null) return deaf(why);
    played.push({ round, ran });
    spentMs += ran.tookMs;
    for (const one of runs.noticedBy(ran)) noticing.add(one);
    if (!isHeard(at)) continue;
    const unsure = await whyUnsure(asking, round, all);
    return unsure === null ? held(runs.tests, noticing) : deaf(unsure);
  }
  const silent = noticing.size === 0 ? runs.tests : comparing.filter(isSilent).flat();
  return failed === null
    ? await comparedWithOriginal(asking, played, silent)
    : deaf(passesAnyway(played, silent));
}

interface Asked {
  readonly round: Round;
  readonly label: string;
  /** What has to notice. */
  readonly cases: readonly Cases[];
  readonly each?: ReadonlyMap<string, number> | undefined;
}

/** One round, and why it is not noticed; null where it is. */
async function ask(
  runs: Runs,
  tree: ProofTree,
  { round, label, cases, each }: Asked,
): Promise<{ readonly ran: ChangedRun; readonly why: string | null }> {
  const dumbIn = (ran: CheckRun) => runs.dumbIn(cases, ran, each);
  const ran = await runs.playToFail(round, label, tree, (one) => dumbIn(one).length === 0);
  if (ran.wasEnded) return { ran, why: `${ENDED}: ${ran.reason}` };
  const dumb = dumbIn(ran);
  const why = `${NOT_THERE}: ${shown([round], dumb.flat().filter(Boolean))}`;
  return { ran, why: dumb.length === 0 ? null : why };
}

/** Why what was noticed may have been noticed for another reason than what the judge expects. */
async function whyUnsure(asking: Asking, round: Round, { rows }: Rounds): Promise<string | null> {
  const { tree, scope, judge, failed, runs } = asking;
  const { original, hear, play, plainly: playPlainly } = runs;
  const own = await ownNamesOf(tree, scope, judge);
  if (own !== null) runs.addCopies(own.copies);
  const recorded = await recordWants({ tree, scope, judge }, hear, runs.noticedBy);
  const places = { tree, original, failed, own, recorded };
  const why = await whyNotHeld({ judge, round, ...places, hear, play, playPlainly });
  if (why !== null) return why;
  for (const [index, other] of (await otherDataOf(recorded, rows)).entries()) {
    const asked = { round: other.round, label: `other-data${index + 1}`, cases: other.asked };
    const { why } = await ask(runs, tree, asked);
    if (why !== null) return why;
  }
  return await whyOwnData(asking);
}

/** It passed on the original too: if it notices there, the work keeps it from noticing. */
async function comparedWithOriginal(
  { judge, runs }: Asking,
  played: readonly Played[],
  silent: readonly string[],
): Promise<Verdict> {
  for (const [at, { round, ran }] of played.entries()) {
    const before = await runs.playToFail(round, `control${at + 1}`, runs.original, () => true);
    if (runs.noticedBy(before).some((one) => silent.length === 0 || silent.includes(one))) {
      return { state: 'bent', reason: passesAnyway(played, silent) };
    }
    if (before.wasEnded || (before.couldNotRun && !ran.couldNotRun)) {
      return deaf(`the original does not tell what it notices: ${before.reason}`);
    }
  }
  return notAsked(judge, 'it notices nothing on the original either');
}

/** Where a file of the judge was not read, it may hold what would have been asked. */
export function notAsked({ unread }: Judge, reason: string): Verdict {
  const left = [...(unread?.texts ?? []), ...(unread?.beside ?? [])];
  return left.length === 0 ? { state: 'not_applied', reason } : deaf(notWhole(left));
}

export const notWhole = (unread: readonly string[]): string =>
  `its judge can not be read as a whole: ${listed(unread)} (more than 500 files, more than 256 KB, or no text)`;

const ENDED = 'where it expects something else the host had to end it';
const NOT_THERE = 'passes with another value where the original failed, or behind';

const passesAnyway = (played: readonly Played[], silent: readonly string[]): string => {
  const rounds = played.map(({ round }) => round);
  return `passes whatever it expects: ${shown(rounds, silent)}`;
};

const tooSlow = (seconds: number, tried: number, all: number): string =>
  `it takes too long to be asked all: ${tried} of ${all} other values were tried in ${seconds} s (the criterion's timeoutSeconds, where that is more)`;

const held = (tests: readonly string[], noticing: ReadonlySet<string>): Verdict => ({
  state: 'held',
  reason:
    tests.length === 0
      ? 'it fails where its judge expects something else'
      : `${noticing.size} of ${tests.length} tests fail where they expect something else`,
});
