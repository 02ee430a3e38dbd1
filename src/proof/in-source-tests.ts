/*
 * Tests that live inside of source: Python's doctests, Rust's test modules and documentation, and
 * Vitest's in-source blocks. They are the judge's, although their file is the goal's to change.
 */

interface TestItem {
  readonly text: string;
  /** Another one beside it changes nothing about those that were there. */
  readonly mayCome: boolean;
  /** It may go on after the text that it had. */
  readonly mayGrow: boolean;
}

interface Versions {
  readonly path: string;
  readonly before: string | null;
  readonly now: string | null;
}

/**
 * Files whose own tests are no longer what they were: one is gone or reads otherwise, or something
 * came between them that may bend them. What moved into another file is still there.
 */
export function filesThatBendTheirTests(files: readonly Versions[]): string[] {
  const now = files.flatMap(({ path, now }) => itemsIn(path, now));
  const known = new Set(files.flatMap(({ path, before }) => itemsIn(path, before).map(textOf)));
  const bends = ({ path, before, now: text }: Versions) =>
    itemsIn(path, before).some((item) => !now.some((other) => goesOn(item, other))) ||
    (before !== null && itemsIn(path, text).some((item) => !item.mayCome && !known.has(item.text)));
  return files.filter(bends).map(({ path }) => path);
}

/** The lines, trimmed, of tests that this source holds. */
export const linesOfOwnTests = (path: string, text: string): ReadonlySet<string> =>
  new Set(itemsIn(path, text).flatMap((item) => item.text.split('\n').map((line) => line.trim())));

const textOf = ({ text }: TestItem): string => text;

const goesOn = (item: TestItem, other: TestItem): boolean =>
  item.text === other.text || (item.mayGrow && other.text.startsWith(`${item.text}\n`));

function itemsIn(path: string, text: string | null): TestItem[] {
  if (text === null) return [];
  if (/\.pyi?$/.test(path)) return doctests(text);
  if (/\.rs$/.test(path)) return [...rustTests(text), ...rustDocuments(text)];
  return /\.[cm]?[jt]sx?$/.test(path) ? vitestBlocks(text) : [];
}

/** The examples of one docstring, which share their names, are one item. */
function doctests(text: string): TestItem[] {
  const groups: string[][] = [[]];
  let isExample = false;
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (/^>>>( |$)/.test(bare)) isExample = true;
    else if (bare === '') isExample = false;
    const ends = /"""|'''/.test(bare);
    if (isExample && !ends) groups.at(-1)?.push(bare);
    if (!ends) continue;
    isExample = false;
    groups.push([]);
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({ text: group.join('\n'), mayCome: true, mayGrow: true }));
}

/** Fenced code in `///` and `//!`, each with its fence: ```` ```ignore ```` runs nothing. */
function rustDocuments(text: string): TestItem[] {
  const items: TestItem[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const comment = /^\s*\/\/[/!] ?(.*)$/.exec(line)?.[1]?.trimEnd();
    if (comment === undefined) open = null;
    else if (/^\s*(```|~~~)/.test(comment)) {
      if (open === null) open = [comment.trim()];
      else {
        items.push({ text: open.join('\n'), mayCome: true, mayGrow: false });
        open = null;
      }
    } else open?.push(comment);
  }
  return items;
}

const TEST_ONLY =
  /#\[\s*cfg\s*\((?:[^\]]*\b)?test\b[^\]]*\)\s*\]|#\[\s*(?:\w+\s*::\s*)*test\b[^\]]*\]/g;
const IS_TEST = /^(?:\s*#\[[^\]]*\])*?\s*#\[\s*(?:\w+\s*::\s*)*(?:test|rstest)\b/;

function rustTests(text: string): TestItem[] {
  const items: TestItem[] = [];
  let from = 0;
  for (const { index } of text.matchAll(TEST_ONLY)) {
    if (index < from) continue;
    const end = endOfItem(text, index);
    const item = text.slice(index, end);
    from = end;
    const body = /\bmod\s+\w+\s*\{/.exec(item);
    const inner = body === null ? [item] : splitItems(item.slice(body.index + body[0].length, -1));
    items.push(...inner.map(rustItem));
  }
  return items;
}

const rustItem = (text: string): TestItem => ({
  text: text.trim(),
  mayCome: IS_TEST.test(text),
  mayGrow: false,
});

function splitItems(text: string): string[] {
  const items: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfItem(text, at);
    items.push(text.slice(at, end));
    at = end;
  }
  return items.filter((item) => item.trim() !== '');
}

const BLOCK = /\bif\s*\(\s*import\.meta\.vitest\s*\)\s*\{/g;

/** What such a block holds can't be told apart: it is one item. */
function vitestBlocks(text: string): TestItem[] {
  return [...text.matchAll(BLOCK)].map(({ index }) => ({
    text: text.slice(index, endOfItem(text, index)),
    mayCome: false,
    mayGrow: false,
  }));
}

/** Strings, characters and comments, in which brackets mean nothing. */
const OPAQUE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.[^']*|[^'\\\n])'/y;

/** The end of the item that begins here: behind its `;` or its closing bracket. */
function endOfItem(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    OPAQUE.lastIndex = at;
    const opaque = OPAQUE.exec(text);
    if (opaque !== null) {
      at += opaque[0].length - 1;
      continue;
    }
    const sign = text[at];
    if (sign === '{' || sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === '}') {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
    if (sign === ';' && depth === 0) return at + 1;
  }
  return text.length;
}
