import { countCtest, countSurefire } from './build-output.ts';

/** One runner's counts from its output, added up over all its summaries. */
interface Summary {
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type ReadSummary = (text: string) => Summary | null;

/**
 * Why a test run that exited zero tested nothing (nothing collected, or all skipped), or null
 * where its output shows tests that ran or no summary that is known. A summary whose numbers don't
 * add up is another runner's, or of another version, and says nothing. A machine-readable report
 * says more; this reads what people read.
 */
export function reasonWhyEmpty(output: string): string | null {
  const text = output.replace(colours, '');
  const named = readers.flatMap((read) => read(text) ?? []);
  // A plan of a runner that said more of itself is told already.
  const found = named.length > 0 ? named : [readTap(text) ?? []].flat();
  if (found.length === 0 || found.some(({ passed, failed }) => passed + failed > 0)) return null;
  if (PASSES.test(text)) return null;
  const skipped = found.reduce((sum, one) => sum + one.skipped, 0);
  const runners = [...new Set(found.map(({ runner }) => runner))].join(' and ');
  return skipped > 0
    ? `${runners} skipped all of its ${skipped} tests`
    : `${runners} found no tests to run`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colours = /\u001b\[[\d;]*m/g;

/** Words by which a runner of any name says that something passed. */
const PASSES =
  /^(?:ok [1-9]|[ \t]{0,20}[✓✔√] )|\b[1-9]\d{0,9} (?:[a-z]{1,20} )?(?:passed|passing|succeeded)\b/m;

function sumOf(text: string, pattern: RegExp): number | null {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return null;
  return found.reduce((sum, [, one, other]) => sum + Number(one ?? other ?? 0), 0);
}

/**
 * The summary lines of node:test, as TAP (`# pass 3`) or as its own report (`ℹ pass 3`). Other
 * runners write lines that look alike, such as `# pass  3`.
 */
const readNode: ReadSummary = (text) => {
  const count = (name: string) => sumOf(text, new RegExp(`^[#ℹ] ${name} (\\d+)$`, 'gm'));
  const [tests, passed] = [count('tests'), count('pass')];
  if (tests === null || passed === null) return null;
  const skipped = (count('skipped') ?? 0) + (count('todo') ?? 0);
  const failed = (count('fail') ?? 0) + (count('cancelled') ?? 0);
  if (passed + failed + skipped !== tests) return null;
  return { runner: 'node:test', passed, failed, skipped };
};

/** `Tests  3 passed | 1 skipped (4)` of Vitest, `Tests: 1 skipped, 3 passed, 4 total` of Jest. */
const readCounted =
  (runner: string, line: RegExp, none: RegExp): ReadSummary =>
  (text) => {
    const lines = [...text.matchAll(line)].map(([whole]) => whole).join('\n');
    if (lines === '') return none.test(text) ? { runner, passed: 0, failed: 0, skipped: 0 } : null;
    const passed = sumOf(lines, /(\d+) (?:x?passed|passing|pass)\b/g) ?? 0;
    const failed = sumOf(lines, /(\d+) (?:failed|failing|errors?)\b/g) ?? 0;
    const skipped = sumOf(lines, /(\d+) (?:skipped|pending|todo|deselected|xfailed)\b/g) ?? 0;
    const total = sumOf(lines, /\((\d+)\)$|\b(\d+) total$/gm);
    if (total !== null && passed + failed + skipped !== total) return null;
    return { runner, passed, failed, skipped };
  };

const readVitest = readCounted(
  'Vitest',
  /^[ \t]*Tests {2,}(no tests|.*\(\d+\))$/gm,
  /^[ \t]*No test files found, exiting with code 0$|^[ \t]*Test Files {2,}no tests$/m,
);

const readJest = readCounted(
  'Jest',
  /^Tests:[ \t]+.*\d+ total$/gm,
  /^No tests found, exiting with code 0$/m,
);

const readMocha = readCounted('Mocha', /^[ \t]+\d+ (passing|pending|failing)\b.*$/gm, /(?!)/);

/** `=== 3 passed, 1 skipped in 0.12s ===`, also without the rules under `-q`. */
const readPytest = readCounted(
  'pytest',
  /^(?:=+ )?(?:no tests (?:ran|collected)|\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?)\b).* in [\d.]+s.*$/gm,
  /^collected 0 items$/m,
);

const readUnittest: ReadSummary = (text) => {
  const ran = sumOf(text, /^Ran (\d+) tests? in [\d.]+s$/gm);
  if (ran === null) return null;
  const skipped = sumOf(text, /^(?:OK|FAILED|NO TESTS RAN) \(.*?skipped=(\d+).*\)$/gm) ?? 0;
  return { runner: 'unittest', passed: Math.max(0, ran - skipped), failed: 0, skipped };
};

/** A package counts as run when it says ok, unless nothing matched in it. */
const readGo: ReadSummary = (text) => {
  const packages = text.match(/^(?:ok {2}|FAIL|\? {3})\t\S+\t.*$/gm) ?? [];
  if (packages.length === 0) return null;
  const isEmpty = (line: string) => /\[no test(s to run| files)\]/.test(line);
  const listed = [...text.matchAll(/^--- (PASS|FAIL|SKIP): /gm)].map(([, kind]) => kind);
  const count = (kind: string) => listed.filter((one) => one === kind).length;
  const ran = packages.filter((line) => !isEmpty(line)).length;
  const passed = listed.length > 0 ? count('PASS') : ran;
  return { runner: 'go test', passed, failed: count('FAIL'), skipped: count('SKIP') };
};

const readCargo: ReadSummary = (text) => {
  const result =
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;(?: (\d+) measured;)?/gm;
  const found = [...text.matchAll(result)];
  if (found.length === 0) return null;
  const sum = (at: number) => found.reduce((total, match) => total + Number(match[at] ?? 0), 0);
  return { runner: 'cargo test', passed: sum(1) + sum(4), failed: sum(2), skipped: sum(3) };
};

/** Of a build, failed tests are of no interest: it exited zero. */
const readBuild =
  (runner: string, count: typeof countSurefire): ReadSummary =>
  (text) => {
    const counts = count(text);
    return counts && { runner, passed: counts.ran, failed: 0, skipped: counts.skipped };
  };

/** A plan of no tests; with any other plan, TAP is the runner's to count. */
const readTap: ReadSummary = (text) =>
  /^1\.\.0\b/m.test(text) && !/^1\.\.[1-9]|^(?:not )?ok\b/m.test(text)
    ? { runner: 'the runner', passed: 0, failed: 0, skipped: 0 }
    : null;

const readers: readonly ReadSummary[] = [
  readNode,
  readVitest,
  readJest,
  readMocha,
  readPytest,
  readUnittest,
  readGo,
  readCargo,
  readBuild('Surefire', countSurefire),
  readBuild('ctest', countCtest),
];
