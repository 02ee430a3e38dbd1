/** Entries of comments that silence a checker, one for each file that has any. */
export const SILENCED = 'suppressions:';

/** Entries of folders with files that may silence: where to look again, and no change of their own. */
export const SOURCES = 'sources:';

const SCRIPT = /\.([cm]?[jt]sx?|vue|svelte|astro)$/;
const BY_BIOME = /\.([cm]?[jt]sx?|vue|svelte|astro|jsonc?|s?css|graphql|html)$/;
const PYTHON = /\.pyi?$/;
const GO = /\.go$/;
const RUST = /\.rs$/;

/** File kinds with their suppression patterns; a suppression's reason may be reworded. */
const FORMS: readonly (readonly [files: RegExp, comment: RegExp])[] = [
  // TypeScript
  [SCRIPT, /@ts-(nocheck|ignore|expect-error)\b/g],
  // ESLint: `// eslint-disable-line`, `/* eslint-disable no-undef */`, `/* eslint no-undef: 0 */`
  [SCRIPT, /\/\/\s*eslint-disable((?!--)[^\n])*/g],
  [SCRIPT, /(\/\*|<!--)\s*eslint(-disable|\s)((?!--|\*\/)[\s\S])*/g],
  // Biome: `biome-ignore lint/style/useConst: reason`, `biome-ignore-all`, `biome-ignore-start`
  [BY_BIOME, /biome-ignore(-\w+)?\b[^:\n]*/g],
  // pyright and mypy: `# type: ignore[attr-defined]`, `# pyright: basic`, `# mypy: ignore-errors`
  [PYTHON, /#\s*type:\s*ignore\b(\[[^\]\n]*\])?/g],
  [PYTHON, /#\s*(pyright|mypy):(?!\s*strict\b)[^\n#]*/g],
  // Python's linters: `# noqa`, `# noqa: E501`, `# ruff: noqa`, `# pylint: disable=all`
  [PYTHON, /#\s*((ruff|flake8)\s*:\s*)?noqa\b(:?\s*[A-Z]+\d+([,\s]+[A-Z]+\d+)*)?/gi],
  [PYTHON, /#\s*pylint:\s*(disable|skip-file)[^\n#]*/g],
  // Rust: `#[allow(unused)]`, `#![expect(dead_code)]`
  [RUST, /#!?\[\s*(allow|expect)\s*\([^\]]*\)\s*\]/g],
  // Go: linters, and constraints by which a file is left out
  [GO, /\/\/\s*nolint\b(:[\w,-]+)?/g],
  [GO, /\/\/lint:(file-)?ignore\s+\S+/g],
  [GO, /^\/\/(go:build|\s*\+build)\s[^\n]*/gm],
];

/** May a comment in this file silence a checker? */
export const canSilence = (path: string): boolean => FORMS.some(([files]) => files.test(path));

/** The suppressions in this file, one line each, in order. */
export function silencingIn(path: string, text: string): string[] {
  return FORMS.filter(([files]) => files.test(path))
    .flatMap(([, comment]) => [...text.matchAll(comment)])
    .sort((left, right) => left.index - right.index)
    .map(([found]) => found.replace(/\s+/g, ' ').trim());
}

/** Tells whether a line was added. Lines may be removed and moved. */
export function addsSilence(before: string, after: string): boolean {
  const known = countsOf(before);
  return [...countsOf(after)].some(([line, count]) => count > (known.get(line) ?? 0));
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
