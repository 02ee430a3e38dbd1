import type { ShownChange } from '../../schema/basis-change.ts';
import type { TestReport } from '../contract/test-report.ts';
import { isBasisFile, isTestFile } from '../shell/file-kinds.ts';
import { onlyAddsTests } from './added-tests.ts';
import { addsSilence, SILENCED, SOURCES } from './suppressions.ts';
import { lostTests } from './test-report.ts';

type BasisKind = ShownChange['kind'];

/** The basis of a check at the moment of its look. */
export interface CriterionBasis {
  /** Name → SHA-256, such as `test/sum.test.js`, `package.json#scripts.test`, `executable:node`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Entries that are the work of a package manager: they may come, as dependencies do. */
  readonly installed: readonly string[];
  readonly report: TestReport | null;
}

/** A changed basis that a person has to accept, or that has to be restored. */
export type BasisChange = Readonly<Omit<ShownChange, 'diff' | 'criterionIds'>> & {
  readonly criterionIds: readonly string[];
};

export interface BasisComparison {
  readonly criterionId: string;
  readonly before: CriterionBasis;
  readonly now: CriterionBasis;
  /** Tells whether the run ended as the criterion expects; others prove nothing of lost tests. */
  readonly isMet: boolean;
  /** Text by SHA-256, as far as it was kept. */
  readonly textOf: (sha256: string) => string | null;
}

/** Every way in which a check may prove less than it did at the baseline. */
export function changesOfBasis(comparison: BasisComparison): BasisChange[] {
  const { criterionId, before, now, isMet } = comparison;
  const names = new Set([...Object.keys(before.entries), ...Object.keys(now.entries)]);
  const changes = [...names].sort().flatMap((name) => changeOf(comparison, name));
  const isUnchanged = (file: string) =>
    before.entries[file] !== undefined && before.entries[file] === now.entries[file];
  const lost = isMet ? lostTests(before.report, now.report, isUnchanged) : [];
  const tests = lost.map(
    ({ name, kind }): BasisChange => ({
      name: `test:${name}`,
      kind,
      criterionIds: [criterionId],
      before: 'ran',
      now: kind === 'test_skipped' ? 'skipped' : null,
    }),
  );
  return [...changes, ...tests];
}

function changeOf(comparison: BasisComparison, name: string): BasisChange[] {
  const { criterionId, before, now, textOf } = comparison;
  const was = before.entries[name] ?? null;
  const is = now.entries[name] ?? null;
  if (was === is || isModeOfOther(comparison, name) || name.startsWith(SOURCES)) return [];
  const kind = kindOfEntry(name, is);
  // A link back into the workspace is as expected.
  if (kind === 'link' && is === null) return [];
  if (kind === 'suppression' && !isMoreSilent(comparison, was, is)) return [];
  if (was === null && (isTestFile(name) || now.installed.includes(name))) return [];
  if (kind === 'test_changed' && was !== null && is !== null) {
    const [old, young] = [textOf(was), textOf(is)];
    const isText = old !== null && young !== null && !SHELL_FILE.test(name);
    if (isText && onlyAddsTests(old, young)) return [];
  }
  return [{ name, kind, criterionIds: [criterionId], before: was, now: is }];
}

/** Suppressions may be removed and moved; a text that was not stored counts as changed. */
function isMoreSilent({ textOf }: BasisComparison, was: string | null, is: string | null): boolean {
  if (is === null) return false;
  const [old, young] = [was === null ? '' : textOf(was), textOf(is)];
  return old === null || young === null || addsSilence(old, young);
}

/** Entries of executable files: the bit comes and goes without a change of the text. */
const MODE = 'mode:';

/** The executable bit of an added or removed file is no change of its own. */
function isModeOfOther({ before, now }: BasisComparison, name: string): boolean {
  const path = name.startsWith(MODE) ? name.slice(MODE.length) : null;
  return path !== null && !(path in before.entries && path in now.entries);
}

/** Its commands are its tests: there is no place in it to which a line could be added for nothing. */
const SHELL_FILE = /\.(sh|bash|zsh)$/;

function kindOfEntry(name: string, now: string | null): BasisKind {
  if (name.startsWith('executable:')) return 'executable';
  if (name.startsWith('link:')) return 'link';
  if (name.startsWith(SILENCED)) return 'suppression';
  if (name.startsWith(MODE)) return 'mode';
  if (/#scripts\.|^script:/.test(name) || isScriptFile(name)) return 'script';
  if (!isTestFile(name)) return 'configuration';
  return now === null ? 'test_deleted' : 'test_changed';
}

/** `scripts/verify.sh` or `bin/check`: a file that runs, and neither a test nor a configuration. */
function isScriptFile(name: string): boolean {
  if (/[:#]|^~/.test(name) || isBasisFile(name)) return false;
  return /\.(sh|bash|zsh|[cm]?[jt]sx?|py|rb|pl|php)$|(^|\/)[^./]+$/.test(name);
}

/** One entry a name, with all criteria that rest on it; what a person accepted is left out. */
export function mergeChanges(
  changes: readonly BasisChange[],
  accepted: Readonly<Record<string, string | null>> = {},
): BasisChange[] {
  const merged = new Map<string, BasisChange>();
  for (const change of changes) {
    if (change.name in accepted && accepted[change.name] === change.now) continue;
    const known = merged.get(change.name);
    const criterionIds = [...(known?.criterionIds ?? []), ...change.criterionIds];
    merged.set(change.name, { ...change, criterionIds: [...new Set(criterionIds)] });
  }
  return [...merged.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

const SAID: Record<BasisKind, string> = {
  script: 'changed script',
  configuration: 'changed configuration',
  executable: 'other executable',
  link: 'leads out of the workspace',
  mode: 'changed mode',
  suppression: 'silences a checker',
  test_deleted: 'deleted test file',
  test_changed: 'changed test file',
  test_skipped: 'test is skipped now',
  test_gone: 'test no longer runs',
  beyond_scope: 'changed beyond the scope',
};

/** How many changes and characters of a name travel through Temporal; the record has them all. */
const MOST_NAMED = 15;
const LONGEST_NAME = 160;

/** The changes in words, as a refusal names them. */
export function nameChanges(changes: readonly BasisChange[]): string[] {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ name, kind }) => `${shortName(name)} (${SAID[kind]})`);
  const left = changes.length - named.length;
  return left > 0 ? [...named, `and ${left} more`] : named;
}

function shortName(name: string): string {
  const shown = name.replace(/^(test|executable|link|mode|suppressions):/, '');
  return shown.length <= LONGEST_NAME ? shown : `${shown.slice(0, LONGEST_NAME - 1)}…`;
}

/** Sections of package.json that configure a runner; dependencies may change freely. */
const RUNNER_SECTIONS = [
  'jest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'type',
  'babel',
  'vitest',
  'workspaces',
  'wireit',
  'config',
];

/** Entries `package.json#<section>` → text, for what a package.json says of its runners. */
export function packageSections(
  text: string,
  sections: readonly string[] = RUNNER_SECTIONS,
): Record<string, string> {
  const parsed = parsePackage(text);
  if (parsed === null) return { 'package.json': text };
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([section]) => sections.includes(section))
      .map(([section, value]) => [`package.json#${section}`, JSON.stringify(value, null, 1)]),
  );
}

/** Scripts by name; none where the file can't be read as JSON. */
export function packageScripts(text: string): Record<string, string> {
  const scripts = parsePackage(text)?.scripts;
  if (typeof scripts !== 'object' || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [name, String(script)]),
  );
}

function parsePackage(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return null;
  }
}

/** Tables that declare or lock dependencies and packaging, not how anything is run. */
const FREE_TABLES =
  /^(project|build-system|dependency-groups|metadata|options|tool\.(poetry|pdm|uv|setuptools|flit)\b)/;

/** The part of pyproject.toml or setup.cfg that says how things run: without dependencies. */
export function runnerTables(text: string): string {
  let isKept = true;
  const kept = text.split('\n').filter((line) => {
    const table = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (table !== undefined) isKept = !FREE_TABLES.test(table);
    return isKept && line.trim() !== '';
  });
  return kept.join('\n');
}
