/*
 * What an assertion means, by the language alone: `a` is what is given, and `b` what is expected of
 * it. A line without its library, and what the library itself is asked, follow from it.
 */

type Meanings = Readonly<Record<string, string>>;

/** How the language itself compares. */
export const UTIL = "(process.getBuiltinModule ?? require)('node:util').isDeepStrictEqual";
/** Of what it is, with what is around it: what holds itself would never end. */
const plain = (isKept: string): string => {
  const inner = (value: string): string => `n(n, ${value}, [...up, x])`;
  return `((n, x, up) => up.includes(x) ? 'itself' : x === null || typeof x !== 'object' || x instanceof Date || x instanceof RegExp || ArrayBuffer.isView(x) ? x : x instanceof Error ? ['Error', x.message] : x instanceof Map ? new Map([...x].map((one) => [${inner('one[0]')}, ${inner('one[1]')}])) : x instanceof Set ? new Set([...x].map((one) => ${inner('one')})) : Array.isArray(x) ? Array.from(x, (one) => ${inner('one')}) : Object.assign({}, ...Reflect.ownKeys(x).filter((key) => ${isKept}Object.prototype.propertyIsEnumerable.call(x, key)).map((key) => ({ [key]: ${inner('x[key]')} }))))`;
};
const by = (means: string, one: string, other: string): string =>
  `((n) => ${UTIL}(n(n, ${one}, []), n(n, ${other}, [])))(${means})`;

/** Of one value, of whatever kind that is said to be. */
const SAME = 'a === b || (a !== a && b !== b)';
const DEEP = `${UTIL}(a, b)`;
/** Whatever class they are of. */
export const LIKE = by(plain(''), 'a', 'b');
/** As `toEqual` has it: what is undefined is not there. */
const equal = (one: string, other: string): string =>
  by(plain('x[key] !== undefined && '), one, other);

const PART =
  "((m) => m(m, a, b))((m, x, y) => y !== null && typeof y === 'object' && x !== null && typeof x === 'object' ? (!Array.isArray(y) || x.length === y.length) && Object.keys(y).every((key) => m(m, x[key], y[key])) : Object.is(x, y))";
const WITHIN = "typeof a === 'string' ? a.includes(b) : [...a].includes(b)";
const CALLED = `a.mock.calls.some((one) => ${equal('one', 'b')})`;
const KEYS = '(Array.isArray(b[0]) ? b[0] : String(b[0]).split(/[.[\\]]+/).filter(Boolean))';
const PROPERTY = `((found) => found.length > 0 && (b.length < 2 || ${equal('found[0]', 'b[1]')}))(${KEYS}.reduce((found, key) => (found.length > 0 && found[0] != null && key in Object(found[0]) ? [found[0][key]] : []), [a]))`;
const CLOSE = 'Math.abs(a - b[0]) <= b[1]';
export const THROWN =
  "b === undefined || (typeof b === 'string' ? String(a?.message).includes(b) : b instanceof RegExp ? b.test(a?.message) : typeof b === 'function' ? a instanceof b : a?.message === b?.message)";

const FAILS = '(() => { try { a(); return false; } catch { return true; } })()';

/** By the name of the call. */
export const CALLS: Meanings = {
  equal: 'a == b',
  is: SAME,
  strictEqual: SAME,
  deepEqual: LIKE,
  deepStrictEqual: DEEP,
  same: DEEP,
  notEqual: 'a != b',
  notStrictEqual: 'a !== b',
  notDeepEqual: `!(${LIKE})`,
  notDeepStrictEqual: `!(${DEEP})`,
  ok: 'a',
  assert: 'a',
  notOk: '!a',
  ifError: 'a === null || a === undefined',
  match: 'b.test(a)',
  doesNotMatch: '!b.test(a)',
  throws: FAILS,
  doesNotThrow: `!${FAILS}`,
};

/** Of a matcher of `expect`, where it means something else than the call of that name. */
export const MATCHERS: Meanings = {
  toBe: SAME,
  toEqual: equal('a', 'b'),
  toStrictEqual: DEEP,
  equal: SAME,
  equals: SAME,
  eq: SAME,
  eql: LIKE,
  eqls: LIKE,
  toBeTruthy: 'a',
  toBeFalsy: '!a',
  true: 'a === true',
  false: 'a === false',
  toBeNull: 'a === null',
  null: 'a === null',
  toBeUndefined: 'a === undefined',
  undefined: 'a === undefined',
  toBeDefined: 'a !== undefined',
  exist: 'a !== null && a !== undefined',
  toMatch: "typeof b === 'string' ? a.includes(b) : b.test(a)",
  string: 'a.includes(b)',
  toHaveLength: 'a.length === b',
  lengthOf: 'a.length === b',
  toContain: WITHIN,
  contain: WITHIN,
  include: WITHIN,
  includes: WITHIN,
  toContainEqual: `[...a].some((one) => ${equal('one', 'b')})`,
  toMatchObject: PART,
  toBeNaN: 'a !== a',
  NaN: 'a !== a',
  toBeInstanceOf: 'a instanceof b',
  instanceof: 'a instanceof b',
  instanceOf: 'a instanceof b',
  toBeTypeOf: 'typeof a === b',
  toSatisfy: 'b(a)',
  satisfy: 'b(a)',
  toBeGreaterThan: 'a > b',
  toBeGreaterThanOrEqual: 'a >= b',
  toBeLessThan: 'a < b',
  toBeLessThanOrEqual: 'a <= b',
  above: 'a > b',
  greaterThan: 'a > b',
  least: 'a >= b',
  below: 'a < b',
  lessThan: 'a < b',
  most: 'a <= b',
  // What the library writes down of its calls.
  toHaveBeenCalled: 'a.mock.calls.length > 0',
  toHaveBeenCalledOnce: 'a.mock.calls.length === 1',
  toHaveBeenCalledTimes: 'a.mock.calls.length === b',
  called: 'a.callCount > 0',
  calledOnce: 'a.callCount === 1',
  empty: '(a.length ?? a.size ?? Object.keys(a).length) === 0',
  // Of a page.
  toBeInTheDocument: 'a !== null && a.isConnected',
  toBeDisabled: 'a.disabled',
  toBeEnabled: '!a.disabled',
  toBeChecked: 'a.checked',
};
/** The same of those that look at more than the first of what they are given: `b` is a list of all. */
export const MATCHERS_OF_ALL: Meanings = {
  toBeCloseTo: 'Math.abs(a - b[0]) < 10 ** -(b[1] ?? 2) / 2',
  closeTo: CLOSE,
  approximately: CLOSE,
  toBeOneOf: 'b[0].includes(a)',
  oneOf: 'b[0].includes(a)',
  within: 'a >= b[0] && a <= b[1]',
  toHaveProperty: PROPERTY,
  toHaveBeenCalledWith: CALLED,
  toBeCalledWith: CALLED,
  toHaveBeenLastCalledWith: `a.mock.calls.slice(-1).some((one) => ${equal('one', 'b')})`,
  toHaveBeenNthCalledWith: `a.mock.calls.slice(b[0] - 1, b[0]).some((one) => ${equal('one', 'b.slice(1)')})`,
};
/** Of `unittest`, in Python. */
export const PYTHON_CALLS: Meanings = {
  assertEqual: 'a == b',
  assertListEqual: 'a == b',
  assertDictEqual: 'a == b',
  assertNotEqual: 'a != b',
  assertCountEqual: 'sorted(a) == sorted(b)',
  assertAlmostEqual: 'round(a - b, 7) == 0',
  assertIs: 'a is b',
  assertIn: 'a in b',
  assertNotIn: 'a not in b',
  assertGreater: 'a > b',
  assertGreaterEqual: 'a >= b',
  assertLess: 'a < b',
  assertLessEqual: 'a <= b',
  assertTrue: 'a',
  assertFalse: 'not a',
  assertIsNone: 'a is None',
  assertIsNotNone: 'a is not None',
  assertIsInstance: 'isinstance(a, b)',
  assertRegex: '__import__("re").search(b, a)',
  assertNotRegex: 'not __import__("re").search(b, a)',
};

export const meaningIn = (all: Meanings, name: string): string | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null;
