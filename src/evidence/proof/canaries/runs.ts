import type { CommandCriterion } from '../../../../schema/criteria.ts';
import type { Scope } from '../../../../schema/scope.ts';
import { readObjects } from '../../../checkpoints/tree.ts';
import type { Judge } from '../../../proof/canaries/judge.ts';
import type { Cases } from '../../../proof/canaries/parts.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import { timesOf, turnedTests } from '../../../proof/test-report.ts';
import type { Runnable } from '../../attempt-outcome.ts';
import type { HostRun } from '../../host-run.ts';
import type { CheckRun } from '../../run-check.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../run-command-of.ts';
import type { ProofTree } from '../proof-tree.ts';
import { type ChangedRun, runChanged } from '../run.ts';
import { bytesOf } from '../text-of.ts';
import { dumbOf, heardIn, noticedBy } from './heard.ts';

/** A check that passed on a tree. */
export interface Passed {
  readonly host: HostRun;
  readonly goalId: string;
  readonly criterionId: string;
  readonly tree: ProofTree;
  readonly scope: Scope;
}

/** Runs the check where these texts are other ones. The label is unique for it. */
export type Play = (round: Round, label: string, on: ProofTree) => Promise<ChangedRun>;

/** The same, with a file at the top of the place that hears of what its texts tell. */
export type Hear = (
  round: Round,
  label: string,
  on: ProofTree,
  file: string,
) => Promise<ChangedRun>;

/** What runs of one check share. */
export interface Runs {
  /** Those that did not pass on the original; none where no runner tells. */
  readonly tests: readonly string[];
  readonly original: ProofTree;
  /** Calls of the ledger so far. */
  readonly receipts: readonly number[];
  /** So long all rounds may take together. */
  readonly patienceSeconds: number;
  /** As a person runs it: a reporter may take the lines that a failure names. */
  readonly plainly: Play;
  /** With the names of its tests, where a runner tells them. */
  readonly play: Play;
  /** What is to fail is ended soon; where its runner told of no failure till then, it has all of its time. */
  readonly playToFail: (
    ...round: [...Parameters<Play>, isHeard: (ran: CheckRun) => boolean]
  ) => Promise<ChangedRun>;
  readonly hear: Hear;
  /** Names of tests that fail in a run; the check itself has an empty name. */
  readonly noticedBy: (ran: CheckRun) => readonly string[];
  /** Of these that have to notice, those that do not. */
  readonly dumbIn: (
    asked: readonly Cases[],
    ran: CheckRun,
    each?: ReadonlyMap<string, number>,
  ) => readonly Cases[];
  /** From now on these files are written with the modes of others. */
  readonly addCopies: (copies: ReadonlyMap<string, string>) => void;
}

export interface Asking {
  readonly tree: ProofTree;
  readonly scope: Scope;
  readonly judge: Judge;
  /** What the check printed as it failed on the original; null where it held there. */
  readonly failed: string | null;
  readonly runs: Runs;
}

/** So long the rounds of a check may take together, or as long as one run of it may. */
const ROUNDS_SECONDS = 600;
/**
 * So long a run waits that is to fail, or ten times as long as it takes now: what never ended on the
 * original, and what never ends where its runner has told of the failure.
 */
const SHORT_SECONDS = 5;
const FAIL_TIMES = 10;
/** A test walks its rows in about the same time where nothing is the work's. */
const WALK_TIMES = 3;

/**
 * @param last the run that passed, with the names of its tests
 * @param wasEnded the host had to end it on the original
 */
export async function runsOf(
  passed: Passed,
  spec: CommandCriterion,
  last: CheckRun,
  wasEnded: boolean,
): Promise<Runs> {
  const { criterionId, tree } = passed;
  const tests = await testsThatTurned(passed, last);
  const times = timesOf(last.report?.passed ?? []);
  const original = { ...tree, entries: tree.original ?? tree.entries };
  const named = tests.length > 0 ? last : undefined;
  const limit = spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const within = (times: number) => ({
    ...spec,
    timeoutSeconds: Math.min(limit, secondsOf(last, times)),
  });
  const [soon, walking] = [within(FAIL_TIMES), within(WALK_TIMES)];
  const receipts: number[] = [];
  const copies = new Map<string, string>();
  const runFor = async (
    own: CommandCriterion,
    [round, label, on]: Parameters<Play>,
    plain?: CheckRun,
    hearing?: string,
  ) => {
    const at = { ...passed, tree: on, copies };
    const ran = await runRound(at, { criterionId, spec: own }, round, plain, label, hearing);
    receipts.push(ran.row.seq);
    return ran;
  };
  const timed = (on: ProofTree) => (wasEnded && on !== tree ? soon : spec);
  const play: Play = (...round) => runFor(timed(round[2]), round, named);
  return {
    ...{ tests, original, receipts, play },
    patienceSeconds: Math.max(ROUNDS_SECONDS, limit),
    plainly: (...round) => runFor(timed(round[2]), round),
    async playToFail(round, label, on, isHeard) {
      const first = await runFor(soon, [round, label, on], named);
      const heard = heardIn(first, tests, times);
      if (heard !== null && isHeard(heard)) return heard;
      if (!first.wasEnded) return first;
      const late = await play(round, `${label}-late`, on);
      const told = heardIn(late, tests, times);
      const ran = told !== null && isHeard(told) ? told : late;
      return { ...ran, tookMs: first.tookMs + late.tookMs };
    },
    // Where nothing is the work's, a test may wait for what never comes.
    hear: (round, label, on, file) =>
      runFor(on === tree ? spec : walking, [round, label, on], named, file),
    noticedBy: (ran) => noticedBy(ran, tests, times),
    dumbIn: (asked, ran, each) => dumbOf(asked, ran, tests, times, each),
    addCopies(more) {
      for (const [copy, path] of more) copies.set(copy, path);
    },
  };
}

/** So many times as long as the check takes, and no less than is always given. */
const secondsOf = ({ row }: CheckRun, times: number): number =>
  Math.max(SHORT_SECONDS, Math.ceil(((row.receipt?.durationMs ?? 0) * times) / 1000));

/** Tests that did not pass on the original; all of them, where each did. */
async function testsThatTurned(
  { host, goalId, criterionId: own }: Passed,
  { report }: CheckRun,
): Promise<readonly string[]> {
  if (report === null || !report.hasNames) return [];
  const baselines = await host.ports.proofs.baselines(goalId);
  const before = baselines.find((one) => one.criterionId === own)?.report ?? null;
  return turnedTests(before, report);
}

async function runRound(
  { host, goalId, tree, copies }: Passed & { readonly copies: ReadonlyMap<string, string> },
  { criterionId, spec }: Runnable,
  round: Round,
  plain: CheckRun | undefined,
  label: string,
  hearing: string | undefined,
): Promise<ChangedRun> {
  const command = round.get(null) ?? spec.command;
  const replaced = [...round].flatMap(([path, text]) => {
    const entry = tree.entries.get(copies.get(path ?? '') ?? path ?? '');
    return path === null || entry === undefined ? [] : [{ path, text, entry }];
  });
  const contents = await readObjects(
    tree.store,
    replaced.map(({ entry }) => entry.object),
  );
  const files = replaced.map(({ path, text, entry: { mode } }, index) => {
    const content = bytesOf(text, contents[index] ?? Buffer.alloc(0));
    return { path, content, mode };
  });
  const own = { criterionId, spec: { ...spec, command } };
  return await runChanged(host, goalId, own, tree, files, plain, label, hearing);
}
