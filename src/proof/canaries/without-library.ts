import { argumentsFrom, bareStatement, endOfOperand } from './expected.ts';
import type { Literal } from './literals.ts';
import { isTyped, languageOf } from './opposites.ts';

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
      ? (expectedOf(bare, statement) ?? calledOf(bare, JAVASCRIPT, true))
      : languageOf(path) === 'python'
        ? (blockOf(bare) ?? plainOf(bare, statement) ?? calledOf(bare, PYTHON, false))
        : null;
  if (found === null) return [];
  const now = isTyped(path) ? typed(found.now) : found.now;
  return [{ ...found, now, isCompared: true }];
}

/** Of values of any type, so that a compiler lets it run. */
const typed = (script: string): string =>
  script
    .replace(/\((a, b|a|b)\) =>/g, (_, names: string) => `(${names.replace(/\w/g, '$&: any')}) =>`)
    .replace('process.getBuiltinModule', '(process as any).getBuiltinModule');

type Found = Pick<Literal, 'at' | 'end' | 'now'> | null;

const js = (given: string, holds: string): string =>
  `((${given}) => { if (${holds}) throw new Error(); })`;
const SAME = 'a === b || (a !== a && b !== b)';
const DEEP = "(process.getBuiltinModule ?? require)('node:util').isDeepStrictEqual(a, b)";

/** By the name of the call. */
const JAVASCRIPT: Readonly<Record<string, string>> = {
  equal: js('a, b', 'a == b'),
  is: js('a, b', SAME),
  strictEqual: js('a, b', SAME),
  deepEqual: js('a, b', DEEP),
  deepStrictEqual: js('a, b', DEEP),
  same: js('a, b', DEEP),
  notEqual: js('a, b', 'a != b'),
  notStrictEqual: js('a, b', 'a !== b'),
  ok: js('a', 'a'),
  assert: js('a', 'a'),
  notOk: js('a', '!a'),
  match: js('a, b', 'b.test(a)'),
  doesNotMatch: js('a, b', '!b.test(a)'),
  throws: '((a) => a())',
  rejects: "((a) => (typeof a === 'function' ? a() : a))",
  doesNotThrow: '((a) => { try { a(); } catch { return; } throw new Error(); })',
};

/** By the name of the matcher. */
const MATCHERS: Readonly<Record<string, string>> = {
  toBe: SAME,
  toEqual: DEEP,
  toStrictEqual: DEEP,
  equal: SAME,
  eql: DEEP,
  toBeTruthy: 'a',
  toBeFalsy: '!a',
  toBeNull: 'a === null',
  toBeUndefined: 'a === undefined',
  toBeDefined: 'a !== undefined',
  toMatch: "typeof b === 'string' ? a.includes(b) : b.test(a)",
  toThrow: '(a(), false)',
  toHaveLength: 'a.length === b',
  lengthOf: 'a.length === b',
  toContain: "(typeof a === 'string' ? a : [...a]).includes(b)",
  toBeNaN: 'a !== a',
  toBeInstanceOf: 'a instanceof b',
  toBeGreaterThan: 'a > b',
  toBeGreaterThanOrEqual: 'a >= b',
  toBeLessThan: 'a < b',
  toBeLessThanOrEqual: 'a <= b',
  above: 'a > b',
  below: 'a < b',
  // What the library writes down of its calls.
  toHaveBeenCalled: 'a.mock.calls.length > 0',
  toHaveBeenCalledOnce: 'a.mock.calls.length === 1',
  toHaveBeenCalledTimes: 'a.mock.calls.length === b',
};

const py = (given: string, holds: string): string =>
  `(lambda ${given}, *_, **__: 1 / 0 if ${holds} else None)`;

const PYTHON: Readonly<Record<string, string>> = {
  assertEqual: py('a, b', 'a == b'),
  assertNotEqual: py('a, b', 'a != b'),
  assertIs: py('a, b', 'a is b'),
  assertIn: py('a, b', 'a in b'),
  assertNotIn: py('a, b', 'a not in b'),
  assertTrue: py('a', 'a'),
  assertFalse: py('a', 'not a'),
  assertIsNone: py('a', 'a is None'),
  assertIsNotNone: py('a', 'a is not None'),
  assertRegex: py('a, b', '__import__("re").search(b, a)'),
  assertRaises: '(lambda _, a, *b, **c: a(*b, **c))',
};

/** The call of an assertion, with what it is called on. */
function calledOf(bare: string, calls: typeof JAVASCRIPT, isScript: boolean): Found {
  for (const found of bare.matchAll(
    /(?<![\w$.)\]])(?:[A-Za-z_$][\w$]*\s*\.\s*)*([A-Za-z_$][\w$]*)\s*\(/g,
  )) {
    const [all, name = ''] = found;
    const now = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (now === undefined) continue;
    const at = found.index;
    return { at, end: at + all.length - 1, now: (isScript ? atStart(bare, at) : '') + now };
  }
  return null;
}

/** Without a semicolon a bracket goes on with the line above. */
const atStart = (bare: string, at: number): string => (bare.slice(0, at).trim() === '' ? ';' : '');

/** `expect(x).toBe(y)`, and `expect(x).to.equal(y)`; what is said of a promise, or not so, is not known. */
function expectedOf(bare: string, statement: string): Found {
  const found = /(?<![\w$.])expect\s*\(/.exec(bare);
  if (found === null) return null;
  const open = found.index + found[0].length;
  const [given, more] = argumentsFrom(bare, open);
  if (given === undefined) return null;
  const [, close] = more ?? given;
  const matcher = /^\)\s*\.(?:to\.(?:(?:be|have)\.)?)?(\w+)\s*\(/.exec(bare.slice(close));
  const holds = matcher === null ? undefined : MATCHERS[matcher[1] ?? ''];
  if (matcher === null || holds === undefined || !Object.hasOwn(MATCHERS, matcher[1] ?? ''))
    return null;
  return {
    at: found.index,
    end: close + matcher[0].length,
    now: `${atStart(bare, found.index)}((a) => (b) => { if (${holds}) throw new Error(); })(${statement.slice(open, close)})(`,
  };
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
