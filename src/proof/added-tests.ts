import { diffLines, type Hunk } from './line-diff.ts';

const DECLARATION =
  /^\s*(?:(?:test|it|describe|context|suite|specify)(?:\.(?:each|concurrent))?\b\s*[(`.]|(?:async\s+)?def\s+test_|class\s+Test|func\s+Test\w*\s*\(|#\[(?:tokio::)?test\]|@(?:pytest\.mark\.(?:parametrize|asyncio)|Test)\b)/;
/** Line comments only: the ends of a block comment may stand around old lines, `#!` says what runs the file. */
const COMMENT = /^\s*(?:\/\/|#(?![[!])|\/\*((?!\*\/).)*\*\/\s*$|$)/;
const OPEN_COMMENT = /\/\*(?!.*\*\/)|\*\/(?<!\/\*.*)/;

/** Words by which a new test reaches beyond itself: it skips, ends or fakes what the others run. */
const REACHING =
  /\b(?:skip\w*|only|todo|x(?:it|describe|test)|exit|_exit|abort|mock\w*|monkeypatch|setattr|fixture|autouse|before(?:Each|All)?|after(?:Each|All)?|setUp\w*|tearDown\w*|set_?up_\w+|teardown_\w+|globalThis|TestMain)\b/;

const IMPORT =
  /^\s*(?:import\s+(?:type\s+)?\{(?<js>[^}]*)\}\s+from\s+['"](?<jsFrom>[^'"]+)['"];?|from\s+(?<pyFrom>[\w.]+)\s+import\s+(?<py>[\w, ]+)|(?:const|let|var)\s+\{(?<cjs>[^}]*)\}\s*=\s*require\(['"](?<cjsFrom>[^'"]+)['"]\);?)\s*$/;

/**
 * Was this test file only extended? True where every place that differs holds whole new tests,
 * comments, or names imported for them. Lines inside of a test that existed are a change of that
 * test, whatever they say.
 */
export function onlyAddsTests(before: string, after: string): boolean {
  return diffLines(before, after).every((hunk) => isAddition(hunk, before, after));
}

function isAddition(hunk: Hunk, before: string, after: string): boolean {
  const { removed, added } = hunk;
  if (removed.length > 0) {
    const [from, to] = [removed[0] ?? '', added[0] ?? ''];
    return removed.length === 1 && added.length === 1 && widensImport(from, to, before);
  }
  const code = added.filter((line) => !COMMENT.test(line) && !isNewImport(line, before));
  return code.length === 0 || (isWholeTests(code, before) && swallowsNothing(hunk, code, after));
}

/** Complete declarations of tests, and nothing else at their outermost level. */
function isWholeTests(code: readonly string[], before: string): boolean {
  const margin = marginOf(code);
  const outer = code.filter((line) => indentOf(line) === margin);
  return (
    outer.every((line) => DECLARATION.test(line) || /^\s*[)}\]]/.test(line)) &&
    DECLARATION.test(outer[0] ?? '') &&
    !/^\s*(@|#\[)/.test(outer.at(-1) ?? '') &&
    !code.some((line) => REACHING.test(withoutTexts(line)) || leavesOpen(line)) &&
    code.every((line) => !takesNameOver(line, before)) &&
    isBalanced(code)
  );
}

/** A text or comment that ends on another line may hide the lines between. */
const leavesOpen = (line: string): boolean =>
  OPEN_COMMENT.test(line) || /['"`]/.test(withoutTexts(line).replaceAll('""', ''));

/** Python runs the later one of two functions with the same name. */
function takesNameOver(line: string, before: string): boolean {
  const name = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1];
  return name !== undefined && hasWord(before, name);
}

/** In indented languages, deeper lines after the new test would become part of it. */
function swallowsNothing({ newAt, added }: Hunk, code: readonly string[], after: string): boolean {
  const behind = after
    .replaceAll('\r\n', '\n')
    .split('\n')
    .slice(newAt + added.length);
  const next = behind.find((line) => line.trim() !== '');
  return next === undefined || indentOf(next) <= marginOf(code);
}

const marginOf = (code: readonly string[]): number => Math.min(...code.map(indentOf));

const indentOf = (line: string): number => line.length - line.trimStart().length;

function isBalanced(lines: readonly string[]): boolean {
  let depth = 0;
  for (const character of withoutTexts(lines.join('\n'))) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  return depth === 0;
}

/** Strings and comments say what they like. */
const withoutTexts = (line: string): string =>
  line
    .replace(/(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g, '""')
    .replace(/\/\/.*$/gm, '')
    .replace(/(^|\s)#(?!\[).*$/gm, '$1');

function isNewImport(line: string, before: string): boolean {
  const names = importOf(line)?.names;
  return names?.every((name) => !hasWord(before, name)) ?? false;
}

/** The same module with more names, none of which meant anything in this file before. */
function widensImport(from: string, to: string, before: string): boolean {
  const old = importOf(from);
  const young = importOf(to);
  if (old === null || young === null || old.module !== young.module) return false;
  const fresh = young.names.filter((name) => !old.names.includes(name));
  const isKept = old.names.every((name) => young.names.includes(name));
  return isKept && fresh.every((name) => !hasWord(before, name));
}

function importOf(line: string): { module: string; names: string[] } | null {
  const groups = IMPORT.exec(line)?.groups;
  if (groups === undefined) return null;
  const names = (groups.js ?? groups.py ?? groups.cjs ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  // A renamed import may take the place of what the tests use.
  if (names.some((name) => /\s|:/.test(name))) return null;
  return { module: groups.jsFrom ?? groups.pyFrom ?? groups.cjsFrom ?? '', names };
}

/** Globals of the runners: an import of that name takes their place without touching a test. */
const GLOBALS =
  /^(?:test|it|describe|expect|assert|vi|jest|suite|print|len|abs|isinstance|raises)$/;

const hasWord = (text: string, word: string): boolean =>
  GLOBALS.test(word) ||
  new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
