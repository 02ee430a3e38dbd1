import type { Path } from '../read/path.ts';
import type { Word } from '../read/script.ts';

/** Stands for an exit status of which only is known that it isn't zero. */
const nonZero = '<non-zero>';

const reference = /\$(?:\{(\w+|\?)(?:\[0\])?\}|(\w+|\?))/g;

/** Fills in what the script itself has set before; the rest stays open. */
export function resolveWord(word: Word, path: Path): Word {
  if (word.isFixed || !word.text.includes('$')) return word;
  let isOpen = false;
  const fill = (text: string) =>
    text.replace(reference, (whole, braced: string | undefined, plain: string | undefined) => {
      const value = knownValue(braced ?? plain ?? '?', path);
      if (value === undefined) isOpen = true;
      return value ?? whole;
    });
  const text = fill(word.text);
  const isFixed = !isOpen && !/[$`*?[{~]/.test(text) && word.substitutions.length === 0;
  return { ...word, text, slashed: fill(word.slashed), isFixed };
}

function knownValue(name: string, { status, shell }: Path): string | undefined {
  // A pipe whose parts all must succeed fails with its first part, or by another.
  if (name === '?' || name === 'PIPESTATUS') return status === 'ok' ? '0' : nonZero;
  if (name === 'PWD' && shell.folder === '') return '.';
  return shell.variables.get(name);
}

/** Unquoted, a variable's value may be several words: `$RUN` for `npm test`. */
export function resolveWords(words: readonly Word[], path: Path): Word[] {
  return words.flatMap((word) => {
    const resolved = resolveWord(word, path);
    const isWhole = /^\$\{?\w+\}?$/.test(word.text);
    if (!resolved.isFixed || !isWhole || !/\s/.test(resolved.text)) return [resolved];
    return resolved.text.split(/\s+/).map((text) => ({ ...resolved, text, slashed: text }));
  });
}

/** The exit status that a word names: known to be zero, known not to be, or open. */
export function statusOf({ text, isFixed }: Word): 'ok' | 'failed' | null {
  if (text === nonZero) return 'failed';
  if (!isFixed || !/^\d+$/.test(text)) return null;
  return Number(text) % 256 === 0 ? 'ok' : 'failed';
}

/**
 * The outcome of a bracketed test that only compares a captured status with zero, or of one whose
 * words are all written out; null where it depends on more.
 */
export function outcomeOfTest(words: readonly Word[]): 'ok' | 'failed' | null {
  const inner = words.slice(1).filter(({ text }) => text !== ']' && text !== ']]');
  const [left, operator, right] = inner.map(({ text }) => text);
  if (inner.length === 2 && left === '!') return null;
  if (inner.length !== 3 || left === undefined || right === undefined) return null;
  const isEqual = equality(left, right);
  if (isEqual === null) return null;
  if (operator === '-eq' || operator === '=' || operator === '==') return isEqual ? 'ok' : 'failed';
  if (operator === '-ne' || operator === '!=') return isEqual ? 'failed' : 'ok';
  return operator === '-gt' && right === '0' ? (isEqual ? 'failed' : 'ok') : null;
}

function equality(left: string, right: string): boolean | null {
  const sides = [left, right];
  if (sides.includes(nonZero)) return sides.includes('0') ? false : null;
  return sides.every((side) => /^\d+$/.test(side)) ? Number(left) === Number(right) : null;
}
