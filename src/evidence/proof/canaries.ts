import { randomInt } from 'node:crypto';
import type { Scope } from '../../../schema/scope.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import { withCommentsAlone } from '../../proof/canaries/comments-alone.ts';
import type { Cases } from '../../proof/canaries/parts.ts';
import { type Round, roundsOf } from '../../proof/canaries/rounds.ts';
import { isCode } from '../../proof/scope/code-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { timesOf, turnedTests } from '../../proof/test-report.ts';
import type { Runnable } from '../attempt-outcome.ts';
import { hostRunOf } from '../criterion-check.ts';
import type { HostRun } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../run-command-of.ts';
import type { Change } from './changes.ts';
import type { ProofOutcome } from './check.ts';
import { whyNotHeld } from './control.ts';
import { dumbOf, heardIn, noticedBy, timesAsked } from './heard.ts';
import { endsWithWork, judgeOf } from './judge-texts.ts';
import { ownNamesOf } from './own-words.ts';
import type { ProofTree } from './proof-tree.ts';
import { type Hear, otherDataOf, recordWants } from './recorded.ts';
import { type ChangedRun, runChanged } from './run.ts';
import { type Proving, type Trial, treeWith } from './search.ts';
import { whyBlind } from './sight.ts';
import { bytesOf, textOf } from './text-of.ts';

export interface CanaryFinding {
  /**
   * `held`: the check fails where its judge expects something else. `deaf`: it passes whatever that
   * expects, or never ends. `bent`: it does so with the work alone.
   */
  readonly state: 'held' | 'deaf' | 'bent' | 'not_applied';
  readonly reason: string;
  readonly receipts: readonly number[];
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
const ENDED = 'where it expects something else the host had to end it';

const UNTOLD = 'the original does not tell what it notices';

const OWN_WORD = 'the work itself says whether it holds, and nothing is compared with it';
const NO_COMMENTS = { comments: new Map<string, string>(), untold: [] };
const COMMENTS = 'the comments of the work let the original hold, with nothing else of it';

/** Looks at every command that holds; by criterion. */
export async function findDeaf(
  proving: Proving,
  taken: readonly Change[],
  { proven }: Trial,
  scope: Scope,
): Promise<ReadonlyMap<string, CanaryFinding>> {
  const { gate, checks } = proving;
  const tree = treeWith(proving, taken);
  const found = new Map<string, CanaryFinding>();
  for (const { criterionId } of taken.length === 0 ? [] : checks) {
    const passed = { host: hostRunOf(gate), goalId: gate.input.goalId, criterionId, tree, scope };
    const { states, seen } = gate.brief.baseline ?? {};
    const wasMet = states?.[criterionId] === 'met';
    const wasEnded = seen?.[criterionId]?.wasEnded === true;
    const outcome = proven.get(criterionId);
    const before = { wasMet, wasEnded };
    const finding = outcome === undefined ? null : await tryCanaries(passed, outcome, before);
    if (finding !== null) found.set(criterionId, finding);
  }
  return found;
}

/** Contents that are held at once. */
const BATCH = 20;

/**
 * Files of the original with the comments of the work alone, however large they are, and those whose
 * comments nobody can tell.
 */
async function commentsAlone(
  { store, entries, original }: ProofTree,
  scope: Scope,
): Promise<{ readonly comments: Round; readonly untold: readonly string[] }> {
  const isWork = scopeTest(scope);
  const changed = [...(original ?? [])].flatMap(([path, { kind, object }]) => {
    const now = entries.get(path);
    const isOther = kind === 'file' && now?.kind === 'file' && now.object !== object;
    return isOther && isCode(path) && isWork(path) ? [{ path, object, now: now.object }] : [];
  });
  const comments = new Map<string, string>();
  const untold: string[] = [];
  for (let at = 0; at < changed.length; at += BATCH) {
    const some = changed.slice(at, at + BATCH);
    const contents = await readObjects(
      store,
      some.flatMap(({ object, now }) => [object, now]),
    );
    for (const [index, { path }] of some.entries()) {
      const [before, now] = contents.slice(2 * index, 2 * index + 2).map(textOf);
      const alone = withCommentsAlone(path, before ?? '', now ?? '');
      if (alone === undefined) untold.push(path);
      else if (alone !== null) comments.set(path, alone);
    }
  }
  return { comments, untold };
}

type Run = [round: Round, label: string, on: ProofTree, plain?: CheckRun, hearing?: string];
type Play = (round: Round, label: string, on: ProofTree) => Promise<ChangedRun>;

/** A check that passed on a tree. */
export interface Passed {
  readonly host: HostRun;
  readonly goalId: string;
  readonly criterionId: string;
  readonly tree: ProofTree;
  readonly scope: Scope;
}

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
 */
export async function tryCanaries(
  passed: Passed,
  { spec, last }: ProofOutcome,
  { wasMet, wasEnded }: Before,
): Promise<CanaryFinding | null> {
  const { criterionId, tree, scope } = passed;
  if (last === undefined || spec.kind !== 'command' || (spec.expectExit ?? 0) !== 0) return null;
  const tests = await testsThatTurned(passed, last);
  const original = { ...tree, entries: tree.original ?? tree.entries };
  const receipts: number[] = [];
  const copies = new Map<string, string>();
  const limit = spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const short = { ...spec, timeoutSeconds: Math.min(limit, secondsOf(last, FAIL_TIMES)) };
  const times = timesOf(last.report?.passed ?? []);
  const runFor = async (own: typeof spec, ...[round, label, on, plain, hearing]: Run) => {
    const at = { ...passed, tree: on, copies };
    const ran = await runRound(at, { criterionId, spec: own }, round, plain, label, hearing);
    receipts.push(ran.row.seq);
    return ran;
  };
  const run = (...[round, label, on, plain]: Run) =>
    runFor(wasEnded && on === original ? short : spec, round, label, on, plain);
  const plain = tests.length > 0 ? last : undefined;
  const play: Play = (round, label, on) => run(round, label, on, plain);
  // Where it is ended soon, and its runner told of no failure, it has all of its time.
  const playToFail = async (
    round: Round,
    label: string,
    on: ProofTree,
    isHeard: (ran: CheckRun) => boolean,
  ) => {
    const soon = await runFor(short, round, label, on, plain);
    const heard = heardIn(soon, tests, times);
    if (heard !== null && isHeard(heard)) return heard;
    if (!soon.wasEnded) return soon;
    const late = await play(round, `${label}-late`, on);
    const told = heardIn(late, tests, times);
    const ran = told !== null && isHeard(told) ? told : late;
    return { ...ran, tookMs: soon.tookMs + late.tookMs };
  };
  // As a person runs it: a reporter may take the lines that a failure names.
  const failed = wasMet ? null : (await run(new Map(), 'original', original)).output;
  const { comments, untold: unclear } =
    failed === null ? NO_COMMENTS : await commentsAlone(tree, scope);
  if (unclear.length > 0) return { state: 'deaf', reason: notTold(unclear), receipts };
  if (comments.size > 0 && (await run(comments, 'comments', original)).isMet) {
    return { state: 'deaf', reason: COMMENTS, receipts };
  }
  const judge = await judgeOf(tree, scope, spec.command, last, tests, failed);
  const found = roundsOf({ ...judge, lot });
  const { rounds, comparing, pinned, each, rows, unplaced, unasked, mute } = found;
  const { texts: unread = [], beside = [] } = judge.unread ?? {};
  if (unread.length > 0 && (tests.length === 0 || unplaced.length > 0)) {
    return { state: 'deaf', reason: notWhole(unread), receipts };
  }
  if (unasked.length > 0) return { state: 'deaf', reason: untold(unasked), receipts };
  if (mute.length > 0) return { state: 'deaf', reason: unknown(mute), receipts };
  const notAsked = (reason: string): CanaryFinding => {
    const left = [...unread, ...beside];
    return left.length === 0
      ? { state: 'not_applied', reason, receipts }
      : { state: 'deaf', reason: notWhole(left), receipts };
  };
  if (rounds.length === 0) {
    if (!wasMet && (await endsWithWork(tree, scope, last))) {
      return { state: 'deaf', reason: OWN_WORD, receipts };
    }
    const look = (round: Round, label: string) => run(round, label, tree);
    const blind =
      failed === null ? null : await whyBlind({ tree, scope, judge, failed, run: look });
    if (blind !== null) return { state: 'deaf', reason: blind, receipts };
    return notAsked('the host finds no value by which it judges');
  }
  const noticing = new Set<string>();
  const isSilent = (cases: Cases) =>
    cases.filter((test) => noticing.has(test)).length <
    Math.min(timesAsked(comparing, cases), cases.length);
  const isHeard = (at: number) =>
    at + 1 >= Math.min(pinned.length, rounds.length) &&
    noticing.size > 0 &&
    !comparing.some(isSilent);
  const patience = Math.max(ROUNDS_SECONDS, limit);
  const played: { readonly round: Round; readonly ran: CheckRun }[] = [];
  let spentMs = 0;
  for (const [at, round] of rounds.entries()) {
    if (spentMs >= patience * 1000) {
      const all = at < pinned.length ? pinned.length : rounds.length;
      return { state: 'deaf', reason: tooSlow(patience, at, all), receipts };
    }
    const asked = pinned[at] ?? [];
    const dumbIn = (ran: CheckRun) => dumbOf(asked, ran, tests, times, each[at]);
    const isTold = (ran: CheckRun) => dumbIn(ran).length === 0;
    const ran = await playToFail(round, `canary${at + 1}`, tree, isTold);
    played.push({ round, ran });
    spentMs += ran.tookMs;
    // The next round would take as long.
    if (ran.wasEnded) return { state: 'deaf', reason: `${ENDED}: ${ran.reason}`, receipts };
    const dumb = dumbIn(ran);
    if (dumb.length > 0) return { state: 'deaf', reason: notThere(round, dumb.flat()), receipts };
    for (const one of noticedBy(ran, tests, times)) noticing.add(one);
    if (!isHeard(at)) continue;
    const own = await ownNamesOf(tree, scope, judge);
    for (const [copy, path] of own?.copies ?? []) copies.set(copy, path);
    // Where nothing is the work's, a test may wait for what never comes.
    const soon = { ...spec, timeoutSeconds: Math.min(limit, secondsOf(last, WALK_TIMES)) };
    const hear: Hear = (round, label, on, file) =>
      runFor(on === tree ? spec : soon, round, label, on, plain, file);
    const recorded = await recordWants({ tree, scope, judge }, hear, (ran) =>
      noticedBy(ran, tests, times),
    );
    const places = { tree, original, failed, own, recorded, hear };
    const why = await whyNotHeld({ judge, round, ...places, play, playPlainly: run });
    if (why !== null) return { state: 'deaf', reason: why, receipts };
    const others = await otherDataOf(recorded, rows);
    for (const [index, { round, asked }] of others.entries()) {
      const dumbIn = (ran: CheckRun) => dumbOf(asked, ran, tests, times);
      const isHeard = (ran: CheckRun) => dumbIn(ran).length === 0;
      const ran = await playToFail(round, `other-data${index + 1}`, tree, isHeard);
      if (ran.wasEnded) return { state: 'deaf', reason: `${ENDED}: ${ran.reason}`, receipts };
      const dumb = dumbIn(ran);
      if (dumb.length > 0) {
        return { state: 'deaf', reason: notThere(round, dumb.flat()), receipts };
      }
    }
    return held(tests, noticing, receipts);
  }
  const silent = noticing.size === 0 ? tests : comparing.filter(isSilent).flat();
  const reason = `passes whatever it expects: ${shown(
    played.map(({ round }) => round),
    silent,
  )}`;
  if (!wasMet) return { state: 'deaf', reason, receipts };
  for (const [at, { round, ran }] of played.entries()) {
    const before = await playToFail(round, `control${at + 1}`, original, () => true);
    if (
      noticedBy(before, tests, times).some((one) => silent.length === 0 || silent.includes(one))
    ) {
      return { state: 'bent', reason, receipts };
    }
    if (before.wasEnded || (before.couldNotRun && !ran.couldNotRun)) {
      return { state: 'deaf', reason: `${UNTOLD}: ${before.reason}`, receipts };
    }
  }
  return notAsked('it notices nothing on the original either');
}

/** So many times as long as the check takes, and no less than is always given. */
const secondsOf = ({ row }: CheckRun, times: number): number =>
  Math.max(SHORT_SECONDS, Math.ceil(((row.receipt?.durationMs ?? 0) * times) / 1000));

const tooSlow = (seconds: number, tried: number, all: number): string =>
  `it takes too long to be asked all: ${tried} of ${all} other values were tried in ${seconds} s (the criterion's timeoutSeconds, where that is more)`;

/** By lot, so that no work knows what it will be asked. */
const lot = (count: number): number => (count === 0 ? 0 : randomInt(count));

const notThere = (round: Round, tests: readonly string[]): string =>
  `passes with another value where the original failed, or behind: ${shown([round], tests.filter(Boolean))}`;

const held = (
  tests: readonly string[],
  noticing: ReadonlySet<string>,
  receipts: readonly number[],
): CanaryFinding => ({
  state: 'held',
  reason:
    tests.length === 0
      ? 'it fails where its judge expects something else'
      : `${noticing.size} of ${tests.length} tests fail where they expect something else`,
  receipts,
});

const notWhole = (unread: readonly string[]): string =>
  `its judge can not be read as a whole: ${listed(unread)} (more than 500 files, more than 256 KB, or no text)`;

const notTold = (paths: readonly string[]): string =>
  `too much of these files is new to tell their comments from their code: ${listed(paths)}`;

const untold = (tests: readonly string[]): string =>
  `no text that the host reads says what these tests expect: ${listed(tests)}`;

const unknown = (lines: readonly string[]): string =>
  `the original failed where the host knows no opposite of what is demanded: ${listed(lines)}`;

const listed = (paths: readonly string[]): string =>
  [...paths.slice(0, 5), ...(paths.length > 5 ? [`${paths.length - 5} more`] : [])].join(', ');

function shown(rounds: readonly Round[], silent: readonly string[]): string {
  const paths = new Set(rounds.flatMap((round) => [...round.keys()]));
  const names = [...paths].map((path) => path ?? 'its command').slice(0, 5);
  const of = silent.length === 0 ? '' : ` (${silent.slice(0, 3).join(', ')})`;
  return `${rounds.length} times with other values in ${names.join(', ')}${of}`;
}

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
