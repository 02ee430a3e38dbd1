import { chainOf } from './chain.ts';
import { bareStatement, endOfOperand } from './expected.ts';
import type { Literal } from './literals.ts';
import { holdingOf } from './matchers.ts';
import { CALLS, meaningIn, PYTHON_CALLS } from './meanings.ts';
import { isTyped, languageOf } from './opposites.ts';
import { argumentsFrom } from './spans.ts';

/*
 * An assertion may know which of its calls it has to bend, and be right whatever else it is given. So
 * the line where the original failed is said once by the language alone, the other way round: what
 * has to be equal must not be, what has to throw is called with nobody around it. Work that is not
 * done passes then, whatever it made of the library.
 */

/** The line the other way round, without its library; nothing where its shape is not known. */
export function withoutLibrary(statement: string, path: string | null): Literal[] {
  const bare = bareStatement(statement);
  const found =
    languageOf(path) === 'js'
      ? (expectedOf(bare, statement) ?? calledOf(bare, inJavascript, true))
      : languageOf(path) === 'python'
        ? (blockOf(bare) ?? plainOf(bare, statement) ?? calledOf(bare, inPython, false))
        : null;
  if (found === null) return [];
  const now = isTyped(path) ? typed(found.now) : found.now;
  return [{ ...found, now, isCompared: true }];
}

/** Of values of any type, and as many as there are, so that a compiler lets it run. */
export const typed = (script: string): string =>
  script
    .replace(/\(((?:\.{3})?\w+(?:, \w+)*)\) =>/g, (_, names: string) =>
      /^(?:a|b|a, b)$/.test(names)
        ? `(${names.replace('b', 'b?').replace(/\w\??/g, '$&: any')}, ..._: any[]) =>`
        : `(${names.replace(/\w+/g, '$&: any')}) =>`,
    )
    .replace(
      '(process.getBuiltinModule ?? require)',
      // A project may declare neither.
      "((globalThis as any).process.getBuiltinModule ?? eval('require'))",
    );

type Found = Pick<Literal, 'at' | 'end' | 'now'> | null;

/** Where the line has to wait, or says first what has to be thrown. */
const JAVASCRIPT_LATE = "((a) => (typeof a === 'function' ? a() : a))";
const PYTHON_RAISES = '(lambda _, a, *b, **c: a(*b, **c))';

function inJavascript(name: string): string | null {
  if (name === 'rejects') return JAVASCRIPT_LATE;
  const holds = meaningIn(CALLS, name);
  return holds === null ? null : `((a, b) => { if (${holds}) throw new Error(); })`;
}

function inPython(name: string): string | null {
  if (name === 'assertRaises') return PYTHON_RAISES;
  const holds = meaningIn(PYTHON_CALLS, name);
  return holds === null ? null : `(lambda a, b=None, *_, **__: 1 / 0 if ${holds} else None)`;
}

/** The call of an assertion, with what it is called on. */
function calledOf(
  bare: string,
  meaning: (name: string) => string | null,
  isScript: boolean,
): Found {
  for (const found of bare.matchAll(
    /(?<![\w$.)\]])(?:[A-Za-z_$][\w$]*\s*\.\s*)*([A-Za-z_$][\w$]*)\s*\(/g,
  )) {
    const [all, name = ''] = found;
    const now = meaning(name);
    if (now === null) continue;
    const at = found.index;
    return { at, end: at + all.length - 1, now: (isScript ? atStart(bare, at) : '') + now };
  }
  return null;
}

/** Without a semicolon a bracket goes on with the line above. */
const atStart = (bare: string, at: number): string => (bare.slice(0, at).trim() === '' ? ';' : '');

/** `expect(x).toBe(y)`, `expect(x).to.equal(y)`, `.not`, `.resolves` and `.rejects` before it. */
function expectedOf(bare: string, statement: string): Found {
  const chain = chainOf(bare);
  const holds = chain === null ? null : holdingOf(chain, bare);
  if (chain === null || holds === null) return null;
  const { at, given, end, args } = chain;
  const [{ parameter, test, late }, own] = [holds, statement.slice(...given)];
  const before = atStart(bare, at);
  const now = `((a) => ${late === null ? '' : 'async '}(${parameter}) => { ${late ?? ''}if (${test}) throw new Error(); })(${own})`;
  return { at, end, now: `${before}${now}${args === null ? '()' : '('}` };
}

/** Since Python 3.11; before, it fails whatever stands in it. */
const WARNINGS_FAIL = '__import__("warnings").catch_warnings(action="error")';

/** `with pytest.raises(ValueError):` is a block around which nobody stands. */
function blockOf(bare: string): Found {
  const found =
    /(?<=^\s*(?:async\s+)?with\s+)[\w.]*(?:raises|warns|assertRaises\w*|assertWarns\w*)\s*\(/i.exec(
      bare,
    );
  if (found === null) return null;
  const last = argumentsFrom(bare, found.index + found[0].length).at(-1);
  if (last === undefined) return null;
  const now = /warns/i.test(found[0]) ? WARNINGS_FAIL : '__import__("contextlib").nullcontext()';
  return { at: found.index, end: last[1] + 1, now };
}

/** `assert x`, with a message or without. */
function plainOf(bare: string, statement: string): Found {
  const found = /^\s*assert\s+(?=\S)/.exec(bare);
  if (found === null) return null;
  const at = found[0].length;
  const end = endOfOperand(bare, at);
  return { at, end, now: `not (${statement.slice(at, end).trim()})` };
}
