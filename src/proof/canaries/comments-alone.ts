import { diffArrays } from 'diff';
import { extensionOf } from '../scope/code-files.ts';

/*
 * Comments are no work. Where the original holds with the comments of the work and nothing else of
 * it, they took something out of a checker's sight: `@ts-nocheck`, `eslint-disable`, `noqa`.
 */

const BRACES =
  /("|')(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\[\s\S]|[^\\`])*`|(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/g;
const HASHES = /("""|''')[\s\S]*?(?:\1|$)|("|')(?:\\.|(?!\2)[^\\\n])*\2|((?<=^|\s)#[^\n]*)/gm;
const HASHED = /^(?:py|pyi|sh|bash|zsh|rb|pl|pm|ya?ml|toml|r|R|jl|ex|exs)$/;

/** What each line says beside its comments. */
function codeOf(path: string, text: string): string[] {
  const signs = HASHED.test(extensionOf(path)) ? HASHES : BRACES;
  return text
    .replace(signs, (all, ...groups) => {
      const comment = groups[signs === HASHES ? 2 : 1];
      return comment === undefined ? all : all.replaceAll(/[^\n]/g, '');
    })
    .split('\n')
    .map((line) => line.trim());
}

const isCodeAlone = (codes: readonly string[]) => (line: string, at: number) =>
  line.trim() === codes[at];

/** More lines that went or came are not told apart: it takes as many steps squared. */
const MOST_EDITS = 6000;

/**
 * The text before with the comments of the one now.
 * @returns null where it has no others; undefined where too much is another one to tell
 */
export function withCommentsAlone(
  path: string,
  before: string,
  now: string,
): string | null | undefined {
  const [old, young] = [before.split('\n'), now.split('\n')];
  const found: string[] = [];
  const [known, codes] = [codeOf(path, before), codeOf(path, now)];
  // A comment is the same line only where it says the same.
  const keys = (lines: readonly string[], of: readonly string[]) =>
    lines.map((code, index) => (code === '' ? (of[index] ?? '').trim() : code));
  const block = { gone: [] as string[], came: [] as { line: string; code: string }[] };
  const settle = () => {
    const first = block.came.findIndex(({ code }) => code !== '');
    const comments = block.came.filter(({ line, code }) => code === '' && line.trim() !== '');
    const above = first < 0 ? comments : comments.filter((one) => block.came.indexOf(one) < first);
    const lines = (some: typeof comments) => some.map(({ line }) => line);
    const below = comments.filter((one) => !above.includes(one));
    found.push(...lines(above), ...block.gone, ...lines(below));
    block.gone = [];
    block.came = [];
  };
  let [at, next] = [0, 0];
  const most = { maxEditLength: MOST_EDITS };
  const changes = diffArrays(keys(known, old), keys(codes, young), most);
  if (changes === undefined) return young.every(isCodeAlone(codes)) ? null : undefined;
  for (const { added, removed, count } of changes) {
    for (let left = count; left > 0; left--) {
      if (removed) block.gone.push(old[at++] ?? '');
      else if (added) block.came.push({ line: young[next] ?? '', code: codes[next++] ?? '' });
      else {
        settle();
        found.push(young[next++] ?? '');
        at++;
      }
    }
  }
  settle();
  const text = found.join('\n');
  return text.replaceAll(/\s/g, '') === before.replaceAll(/\s/g, '') ? null : text;
}
