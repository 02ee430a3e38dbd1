import { type Chain, isNot } from './chain.ts';
import { CALLS, LIKE, MATCHERS, MATCHERS_OF_ALL, meaningIn, THROWN } from './meanings.ts';

/* What a chain of `expect` says, by the meaning of its matcher. */

const THROWS = /^(?:toThrow\w*|throws?|Throws?)$/;
/** Words that only join, or that are read here. */
const KNOWN =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|same|does|still|also|deep|not|resolves|rejects)$/;
/** What holds for many a value is a matcher itself, and the library's. */
const OF_LIBRARY = /\bexpect\s*\./;

export interface Holding {
  /** `b`, or a list of all that is expected. */
  readonly parameter: 'b' | '...b';
  readonly test: string;
  /** Waits for what is given, first; null where nothing is waited for. */
  readonly late: string | null;
}

/** What the chain means; null where the host does not know. */
export function holdingOf(chain: Chain, bare: string): Holding | null {
  const { words, name, args } = chain;
  if (!words.every((word) => KNOWN.test(word))) return null;
  if (args?.some(([from, to]) => OF_LIBRARY.test(bare.slice(from, to))) === true) return null;
  const [isLate, fails] = [words.includes('resolves'), words.includes('rejects')];
  const found = meaningOf(chain, isLate, fails);
  if (found === null) return null;
  const [parameter, means] = found;
  const isOther = isNot(chain) && !(isLate && THROWS.test(name));
  if (isOther && fails) return null;
  const value = "await (typeof a === 'function' ? a() : a)";
  const late = isLate
    ? `try { a = ${value}; } catch { return; } `
    : fails
      ? `try { ${value}; return; } catch (error) { a = error; } `
      : null;
  return { parameter, test: isOther ? `!(${means})` : means, late };
}

function meaningOf(
  chain: Chain,
  isLate: boolean,
  fails: boolean,
): readonly [Holding['parameter'], string] | null {
  const { words, name } = chain;
  if (THROWS.test(name)) {
    if (fails) return ['b', THROWN];
    if (isLate) return isNot(chain) ? ['b', 'true'] : null;
    return isNot(chain) ? ['b', CALLS.throws ?? ''] : ['b', '(a(), false)'];
  }
  if (words.includes('deep')) return /^eq/.test(name) ? ['b', LIKE] : null;
  const one = meaningIn(MATCHERS, name) ?? meaningIn(CALLS, name);
  if (one !== null) return ['b', one];
  const all = meaningIn(MATCHERS_OF_ALL, name);
  return all === null ? null : ['...b', all];
}
