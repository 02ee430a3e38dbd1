import { CALLS, MATCHERS, MATCHERS_OF_ALL, PYTHON_CALLS, UTIL } from './meanings.ts';

/** What holds in the language, by the word with which a test asks. */
export type Questions = Readonly<Record<string, (nonce: Nonce) => string>>;

export interface Nonce {
  readonly text: string;
  readonly number: number;
}

/*
 * An assertion that holds whatever it is given says nothing, and a line without a value has none that
 * could be another one. So each kind that a test uses is asked of some values: where its meaning does
 * not hold of two of them, it has to fail.
 */

/** Of several kinds, no two of which are nearly equal. */
const inJavascript = ({ text, number }: Nonce): string =>
  `[undefined, ${number}, '${text}', 'z', Object.assign(/z/, { z: ${number} }), { a: ${number}, mock: { calls: [] } }, () => {}, () => { throw new Error(); }]`;
const inPython = ({ text, number }: Nonce): string =>
  `[None, ${number}, 1, "${text}", "z", [${number}], {"a": ${number}}, str]`;

const askedOf = (means: string, call: string, nonce: Nonce): string =>
  `N(() => ${inJavascript(nonce)}, (a, b) => ${means.replaceAll(UTIL, "M('util').isDeepStrictEqual")}, (a, b) => ${call})`;

/** `node:assert`, and its strict form, which has functions of its own. */
const ofNode = (name: string, means: string, nonce: Nonce): string => {
  const call = name === 'assert' ? 'A(a)' : `A.${name}(a, b)`;
  return `[M('assert'), M('assert').strict].every((A) => ${askedOf(means, call, nonce)})`;
};
/** Of the runner, under the name that the test itself has for it. */
const ofExpect = (name: string, means: string, nonce: Nonce): string =>
  `(typeof expect !== 'function' || ${askedOf(means, `expect(a).${name}(b)`, nonce)})`;
const jsLate =
  (call: string): Questions[string] =>
  () =>
    `Promise.all([M('assert'), M('assert').strict].map((A) => L(() => ${call}))).then((all) => all.every(Boolean))`;

const named = (
  all: Readonly<Record<string, string>>,
  ask: (name: string, means: string, nonce: Nonce) => string,
): Questions =>
  Object.fromEntries(
    Object.entries(all).map(([name, means]) => [name, (nonce: Nonce) => ask(name, means, nonce)]),
  );

export const EXPECT_ASSERTIONS: Questions = {
  ...named(MATCHERS, ofExpect),
  ...named(MATCHERS_OF_ALL, (name, means, nonce) =>
    ofExpect(name, `((b) => ${means})([b])`, nonce),
  ),
  toThrow: (nonce) => ofExpect('toThrow', CALLS.throws ?? '', nonce),
};

export const JAVASCRIPT_ASSERTIONS: Questions = {
  ...EXPECT_ASSERTIONS,
  ...named(CALLS, ofNode),
  rejects: jsLate('A.rejects(Promise.resolve())'),
  doesNotReject: jsLate('A.doesNotReject(Promise.reject(new Error()))'),
};

/** Each fails where nothing happens in its block, or where something fails in it. */
const PYTHON_BLOCKS: Readonly<Record<string, string>> = {
  assertRaises: 'W(lambda: M("unittest").TestCase().assertRaises(ValueError))',
  assertRaisesRegex: 'W(lambda: M("unittest").TestCase().assertRaisesRegex(ValueError, ""))',
  assertWarns: 'W(lambda: M("unittest").TestCase().assertWarns(UserWarning))',
  assertLogs: 'W(lambda: M("unittest").TestCase().assertLogs())',
  raises: '("pytest" not in M("sys").modules or W(lambda: M("pytest").raises(ValueError)))',
  warns: '("pytest" not in M("sys").modules or W(lambda: M("pytest").warns(UserWarning)))',
  subTest: 'R(lambda: M("unittest").TestCase().subTest())',
};

export const PYTHON_ASSERTIONS: Questions = {
  ...named(
    PYTHON_CALLS,
    (name, means, nonce) =>
      `N(${inPython(nonce)}, lambda a, b: ${means}, lambda a, b: M("unittest").TestCase().${name}(a, b))`,
  ),
  ...named(PYTHON_BLOCKS, (_, ask) => ask),
};

/** Whether a call fails as assertions do, later (`L`), or by any error (`X`); `N` asks one of all values. */
export const JAVASCRIPT_FAILS = [
  "const D = (error) => error?.code === 'ERR_ASSERTION';",
  'const X = (call) => { try { call(); return false; } catch { return true; } };',
  'const L = (call) => Promise.resolve().then(call).then(() => false, D);',
  'const N = (all, holds, call) => all().every((a) => all().every((b) => { try { if (holds(a, b)) return true; } catch { return true; } return X(() => call(a, b)); }));',
].join(' ');

/** `F` calls, `W` does nothing in a block, `R` fails in one. Each tells whether an assertion failed. */
export const PYTHON_FAILS = `
def F(call):
    try:
        call()
    except BaseException as e:
        return isinstance(e, AssertionError) or type(e).__name__ == "Failed"
    return False
def N(all, holds, call):
    for a in all:
        for b in all:
            try:
                if holds(a, b):
                    continue
            except Exception:
                continue
            if not F(lambda: call(a, b)):
                return False
    return True
def W(block):
    def call():
        with block():
            pass
    return F(call)
def R(block):
    def call():
        with block():
            raise AssertionError()
    return F(call)
`;
