import { randomBytes } from 'node:crypto';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import { readObjects, type TreeEntry } from '../../checkpoints/tree.ts';
import {
  isBentItself,
  judgeCanaries,
  type Planted,
  plantAll,
  reportedIn,
  type Shown,
} from '../../proof/canaries/judge.ts';
import { isTestFile } from '../../shell/file-kinds.ts';
import type { CheckRun } from '../run-check.ts';

export interface CanaryFinding {
  /** `bent`: something under test bends what judges it. */
  readonly state: 'held' | 'bent' | 'not_applied';
  readonly reason: string;
  readonly receipts: readonly number[];
}

/** A file that the place has in another version than the tree. */
export interface Replaced {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export interface CanaryGround {
  readonly store: StorePlace;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The tree without the goal's work; absent = a control is not possible. */
  readonly original: ReadonlyMap<string, TreeEntry> | undefined;
  /** The run that passed and named its tests. */
  readonly before: CheckRun;
  /** Runs the check in a place with these files instead of the tree's. */
  readonly runWith: (
    entries: ReadonlyMap<string, TreeEntry>,
    replaced: readonly Replaced[],
    label: string,
  ) => Promise<CheckRun>;
}

const MOST_FILES = 500;

/**
 * Plants tests that must fail at the end of the project's own test files and looks whether they do.
 * What doesn't fail, or isn't reported, is bent by the code under test, unless it is the same where
 * none of that code is (the control).
 */
export async function findBends(ground: CanaryGround): Promise<CanaryFinding> {
  const { report, command } = ground.before;
  if (report === null && command?.runners.size === 0) {
    return notApplied('no test runner that the host knows', []);
  }
  const planted = await plantIn(ground);
  if (planted.length === 0) return notApplied('no test file of a runner that the host knows', []);
  const before = shownBy(ground.before);
  const receipts: number[] = [];
  const run = async (label: string) => {
    const ran = await ground.runWith(ground.entries, replacedBy(ground, planted, 'text'), label);
    receipts.push(ran.row.seq);
    return judgeCanaries(planted, before, shownBy(ran));
  };
  let verdict = await run('canaries');
  // Once may be a test that fails now and then.
  if (verdict.kind === 'differs') verdict = await run('canaries2');
  if (verdict.kind === 'held') return held(verdict.canaries, receipts);
  if (verdict.kind === 'differs') {
    const names = verdict.names.slice(0, 5).join(', ');
    return bent(`tests pass only without the host's own beside them: ${names}`, receipts);
  }
  const control = await runControl(ground, planted, receipts);
  if (verdict.kind === 'bent') {
    return control !== null && isBentItself(planted, control)
      ? notApplied("the project's own set-up bends assertions", receipts)
      : bent(verdict.reason, receipts);
  }
  if (control !== null && reportedIn(planted, verdict.names, control)) {
    return bent('tests that must fail are not reported', receipts);
  }
  return verdict.canaries > 0
    ? held(verdict.canaries, receipts)
    : notApplied('the command runs no tests that are added', receipts);
}

const held = (canaries: number, receipts: readonly number[]): CanaryFinding => ({
  state: 'held',
  reason: `${canaries} assertions that must fail did`,
  receipts,
});

async function runControl(
  ground: CanaryGround,
  planted: readonly Planted[],
  receipts: number[],
): Promise<Shown | null> {
  const { original } = ground;
  if (original === undefined) return null;
  const known = planted.filter(({ path }) => original.has(path));
  const ran = await ground.runWith(original, replacedBy(ground, known, 'bare'), 'control');
  receipts.push(ran.row.seq);
  return shownBy(ran);
}

const notApplied = (reason: string, receipts: readonly number[]): CanaryFinding => ({
  state: 'not_applied',
  reason,
  receipts,
});

const bent = (what: string, receipts: readonly number[]): CanaryFinding => ({
  state: 'bent',
  reason: `passed, but the code under test bends assertions or their report: ${what}`,
  receipts,
});

/** Only checks that pass with 0 have canaries. */
const shownBy = ({ report, output, exitCode }: CheckRun): Shown => ({
  report,
  output,
  isPass: exitCode === 0,
});

function replacedBy(
  { entries }: CanaryGround,
  planted: readonly Planted[],
  which: 'text' | 'bare',
): Replaced[] {
  return planted.map((one) => ({
    path: one.path,
    text: one[which],
    mode: entries.get(one.path)?.mode ?? 0o644,
  }));
}

async function plantIn({ store, entries, before }: CanaryGround): Promise<Planted[]> {
  const { report, command } = before;
  const runners = [...(report?.runner.split(', ') ?? []), ...(command?.runners ?? [])];
  const isNamed = namedBy(before);
  const paths = [...entries]
    .filter(([path, { kind }]) => kind === 'file' && (isNamed(path) || isCandidate(path)))
    .map(([path]) => path)
    .sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, MOST_FILES);
  const objects = paths.map((path) => entries.get(path)?.object ?? '');
  const contents = await readObjects(store, objects);
  const files = paths.map((path, index) => ({ path, text: contents[index]?.toString() ?? '' }));
  return plantAll(files, runners, () => `z${randomBytes(6).toString('hex')}`);
}

const isCandidate = (path: string): boolean =>
  isTestFile(path) || /(?:^|\/)tests?\.[cm]?[jt]sx?$|\.rs$/.test(path);

/** Files that the report or the command names. */
function namedBy({ report, command }: CheckRun): (path: string) => boolean {
  const reported = [...(report?.passed ?? []), ...(report?.failed ?? [])];
  const words = (command?.texts ?? []).flatMap((text) => text.split(/[\s'";&|]+/));
  const names = [...reported.map((name) => name.split(' > ', 1)[0] ?? ''), ...words];
  const known = new Set(names.map((name) => name.replace(/^\.\//, '')));
  const isTail = (path: string) =>
    path.split('/').some((_, at, parts) => known.has(parts.slice(at).join('/')));
  return (path) => /\.\w+$/.test(path) && isTail(path);
}
