import type { TestReport } from '../../contract/test-report.ts';
import { canaryKinds } from './all.ts';
import type { CanaryKind, Outcomes, Planting, TestFile } from './canary.ts';

export interface Planted extends Planting {
  readonly path: string;
  readonly kind: CanaryKind;
}

/** Plants into the files that are tests of a runner that is known. */
export function plantAll(
  files: readonly Pick<TestFile, 'path' | 'text'>[],
  runners: readonly string[],
  newId: () => string,
): Planted[] {
  return files.flatMap(({ path, text }) => {
    const kind = kindOf({ path, text }, runners);
    const planting = kind?.plant({ path, text, id: newId() }) ?? null;
    return kind === undefined || planting === null ? [] : [{ ...planting, path, kind }];
  });
}

const kindOf = (file: Pick<TestFile, 'path' | 'text'>, runners: readonly string[]) =>
  canaryKinds.find((kind) => kind.isOwn(file)) ??
  canaryKinds.find((kind) => runners.includes(kind.runner) && kind.mayBeOwn?.(file) === true);

/** What a run showed, with canaries or before they were planted. */
export interface Shown {
  readonly report: TestReport | null;
  readonly output: string;
  /** True when it ended with the exit code of a pass. */
  readonly isPass: boolean;
}

export type Verdict =
  | { readonly kind: 'held'; readonly canaries: number }
  /** Something that had to fail did not. */
  | { readonly kind: 'bent'; readonly reason: string }
  /**
   * Canaries are not reported: the command runs not all tests, ends at the first failure, or
   * something keeps them silent. A run without the code under test tells.
   */
  | { readonly kind: 'missing'; readonly names: readonly string[]; readonly canaries: number }
  /** Tests that pass otherwise fail beside canaries. */
  | { readonly kind: 'differs'; readonly names: readonly string[] };

/** Judges the run with canaries by the one right before it without. */
export function judgeCanaries(planted: readonly Planted[], before: Shown, after: Shown): Verdict {
  const outcomes = outcomesOf(planted, after);
  const ran = planted.filter((one) => hasRun(one, planted, before.report, outcomes));
  const passed = ran.flatMap((one) => passedOf(one, outcomes));
  if (passed.length > 0) {
    const shown = passed.slice(0, 5).join(', ');
    return { kind: 'bent', reason: `what must fail passed: ${shown}` };
  }
  const failed = ran.flatMap((one) => failedOf(one, outcomes));
  if (failed.length > 0 && after.isPass) {
    return { kind: 'bent', reason: 'tests failed, and the command ended as if all had passed' };
  }
  // A runner that ends at the first failure reaches only some files.
  const reached = ran.filter((one) => hasRun(one, planted, after.report, outcomes));
  const expected = failed.length > 0 ? reached : ran.length > 0 ? ran : planted;
  const missing = expected.flatMap((one) => missingOf(one, outcomes, after));
  if (missing.length > 0) return { kind: 'missing', names: missing, canaries: failed.length };
  const differing = differsIn(before.report, after.report);
  if (differing.length > 0) return { kind: 'differs', names: differing };
  return { kind: 'held', canaries: failed.length };
}

/** The control has the canaries alone: what it reports, the runner picks up. */
export function reportedIn(
  planted: readonly Planted[],
  names: readonly string[],
  control: Shown,
): boolean {
  const { passed, failed } = outcomesOf(planted, control);
  return names.some((name) => [...passed, ...failed].some(isNamed(name)));
}

/** The project bends its own assertions, such as Python with `-O`. */
export function isBentItself(planted: readonly Planted[], control: Shown): boolean {
  const outcomes = outcomesOf(planted, control);
  const isSeen = planted.some((one) => failedOf(one, outcomes).length > 0);
  return planted.some((one) => passedOf(one, outcomes).length > 0) || (isSeen && control.isPass);
}

function outcomesOf(planted: readonly Planted[], { report, output }: Shown): Outcomes {
  const kinds = new Set(planted.map(({ kind }) => kind));
  const parts: Outcomes[] = [...kinds].flatMap((kind) => kind.printed?.(output) ?? []);
  if (report !== null) parts.push(report);
  return {
    passed: parts.flatMap(({ passed }) => passed),
    failed: parts.flatMap(({ failed }) => failed),
    skipped: parts.flatMap(({ skipped }) => skipped),
  };
}

const isNamed = (name: string) => (reported: string) =>
  reported === name || (reported.endsWith(name) && /\W/.test(reported.at(-name.length - 1) ?? ''));

function failedOf({ mustFail }: Planted, { failed }: Outcomes): string[] {
  return [...mustFail.keys()].filter((name) => failed.some(isNamed(name)));
}

function passedOf({ mustFail, path }: Planted, { passed, skipped }: Outcomes): string[] {
  const others = [...passed, ...skipped];
  return [...mustFail].flatMap(([name, assertion]) =>
    others.some(isNamed(name)) ? [`${assertion} (${path})`] : [],
  );
}

function missingOf(one: Planted, outcomes: Outcomes, { report }: Shown): string[] {
  const failed = failedOf(one, outcomes);
  const silent = [...one.mustFail.keys()].filter((name) => !failed.includes(name));
  // Runners without a report name only what failed.
  const holds = report?.hasNames !== true || outcomes.passed.some(isNamed(one.mustPass));
  return holds ? silent : [...silent, one.mustPass];
}

/** Named by this report, or seen with a canary. */
function hasRun(
  one: Planted,
  planted: readonly Planted[],
  report: TestReport | null,
  outcomes: Outcomes,
): boolean {
  const names = [...one.mustFail.keys(), one.mustPass];
  const all = [...outcomes.passed, ...outcomes.failed, ...outcomes.skipped];
  if (names.some((name) => all.some(isNamed(name)))) return true;
  if (report?.hasNames !== true) return false;
  return [...report.passed, ...report.failed].some((name) => isFrom(one, planted, name));
}

function isFrom({ path, text }: Planted, planted: readonly Planted[], name: string): boolean {
  const parts = name.split(' > ');
  const [file = ''] = parts;
  const isFile = (known: string) => known === file || known.endsWith(`/${file}`);
  if (planted.some((other) => isFile(other.path))) return isFile(path);
  // Packages and modules in place of files: the file has the test's own name.
  const own = (parts.at(-1) ?? '').split('::').at(-1)?.split('/')[0] ?? '';
  return own !== '' && new RegExp(`\\b(?:fn|func) ${own.replace(/\W/g, '\\$&')}\\b`).test(text);
}

function differsIn(before: TestReport | null, after: TestReport | null): string[] {
  const passed = new Set(before?.passed);
  return (after?.failed ?? []).filter((name) => passed.has(name));
}
