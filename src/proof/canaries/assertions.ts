/** What holds in the language, by the word with which a test asks. */
export type Questions = Readonly<Record<string, (nonce: Nonce) => string>>;

export interface Nonce {
  readonly text: string;
  readonly number: number;
}

/*
 * An assertion that holds whatever it is given says nothing, and a line without a value has none that
 * could be another one. So each kind that a test uses is asked once for what must fail.
 */

/** `node:assert`, and its strict form, which has functions of its own. */
const js =
  (call: (nonce: Nonce) => string): Questions[string] =>
  (nonce) =>
    `[M('assert'), M('assert').strict].every((A) => F(() => ${call(nonce)}))`;
const jsLate =
  (call: string): Questions[string] =>
  () =>
    `Promise.all([M('assert'), M('assert').strict].map((A) => L(() => ${call}))).then((all) => all.every(Boolean))`;
/** Of the runner, under the name that the test itself has for it. */
const jsExpect =
  (call: (nonce: Nonce) => string): Questions[string] =>
  (nonce) =>
    `typeof expect !== 'function' || X(() => expect${call(nonce)})`;

export const JAVASCRIPT_ASSERTIONS: Questions = {
  assert: js(() => 'A(false)'),
  ok: js(() => 'A.ok(0)'),
  equal: js(({ number }) => `F(() => A.equal(${number}, undefined)) && A.equal(${number}, 1)`),
  strictEqual: js(
    ({ number }) => `F(() => A.strictEqual(${number}, undefined)) && A.strictEqual(${number}, 1)`,
  ),
  deepEqual: js(({ number }) => `A.deepEqual([${number}], [1])`),
  deepStrictEqual: js(({ number }) => `A.deepStrictEqual([${number}], [1])`),
  notEqual: js(({ number }) => `A.notEqual(${number}, ${number})`),
  notStrictEqual: js(({ number }) => `A.notStrictEqual(${number}, ${number})`),
  notDeepEqual: js(({ number }) => `A.notDeepEqual([${number}], [${number}])`),
  notDeepStrictEqual: js(({ number }) => `A.notDeepStrictEqual([${number}], [${number}])`),
  throws: js(() => 'A.throws(() => {})'),
  doesNotThrow: js(({ text }) => `A.doesNotThrow(() => { throw new Error('${text}'); })`),
  match: js(({ text }) => `A.match('${text}', /z/)`),
  doesNotMatch: js(({ text }) => `A.doesNotMatch('${text}', /g/)`),
  ifError: js(() => 'A.ifError(0)'),
  rejects: jsLate('A.rejects(Promise.resolve())'),
  doesNotReject: jsLate('A.doesNotReject(Promise.reject(new Error()))'),
  toBe: jsExpect(({ number }) => `(${number}).toBe(1)`),
  toEqual: jsExpect(({ number }) => `([${number}]).toEqual([1])`),
  toStrictEqual: jsExpect(({ number }) => `([${number}]).toStrictEqual([1])`),
  toThrow: jsExpect(() => '(() => {}).toThrow()'),
  toMatch: jsExpect(({ text }) => `('${text}').toMatch(/z/)`),
  toContain: jsExpect(({ number }) => `([${number}]).toContain(1)`),
  toHaveLength: jsExpect(({ number }) => `([${number}]).toHaveLength(0)`),
  toBeNull: jsExpect(({ number }) => `(${number}).toBeNull()`),
  toBeUndefined: jsExpect(({ number }) => `(${number}).toBeUndefined()`),
  toBeDefined: jsExpect(() => '(undefined).toBeDefined()'),
  toBeTruthy: jsExpect(() => '(0).toBeTruthy()'),
  toBeFalsy: jsExpect(({ number }) => `(${number}).toBeFalsy()`),
};

/** Each fails by itself, as a call. */
const unittest =
  (given: (nonce: Nonce) => string): ((name: string) => Questions[string]) =>
  (name) =>
  (nonce) =>
    `F(lambda: M("unittest").TestCase().${name}(${given(nonce)}))`;
/** Each fails where nothing happens in its block. */
const unittestBlock =
  (given: string): ((name: string) => Questions[string]) =>
  (name) =>
  () =>
    `W(lambda: M("unittest").TestCase().${name}(${given}))`;

const unequal = unittest(({ number }) => `${number}, ${number + 1}`);
const same = unittest(({ number }) => `${number}, ${number}`);

const UNITTEST: Readonly<Record<string, (name: string) => Questions[string]>> = {
  assertEqual: unequal,
  assertIs: unittest(({ number }) => `[${number}], [${number}]`),
  assertAlmostEqual: unequal,
  assertListEqual: unittest(({ number }) => `[${number}], []`),
  assertDictEqual: unittest(({ number }) => `{${number}: 1}, {}`),
  assertCountEqual: unittest(({ number }) => `[${number}], []`),
  assertIn: unittest(({ number }) => `${number}, []`),
  assertNotIn: unittest(({ number }) => `${number}, [${number}]`),
  assertNotEqual: same,
  assertGreater: same,
  assertLess: same,
  assertGreaterEqual: unequal,
  assertLessEqual: unittest(({ number }) => `${number + 1}, ${number}`),
  assertTrue: unittest(() => 'False'),
  assertFalse: unittest(() => 'True'),
  assertIsNone: unittest(({ number }) => `${number}`),
  assertIsNotNone: unittest(() => 'None'),
  assertIsInstance: unittest(({ number }) => `${number}, str`),
  assertRegex: unittest(({ text }) => `"${text}", "z"`),
  assertNotRegex: unittest(({ text }) => `"${text}", "g"`),
  assertRaises: (name) => (nonce) =>
    `${unittestBlock('ValueError')(name)?.(nonce)} and ${unittest(() => 'ValueError, int')(name)?.(nonce)}`,
  assertRaisesRegex: unittestBlock('ValueError, ""'),
  assertWarns: unittestBlock('UserWarning'),
  assertLogs: unittestBlock(''),
};

const pytest =
  (block: string): Questions[string] =>
  () =>
    `("pytest" not in M("sys").modules or W(lambda: M("pytest").${block}))`;

export const PYTHON_ASSERTIONS: Questions = {
  ...Object.fromEntries(Object.entries(UNITTEST).map(([name, ask]) => [name, ask(name)])),
  raises: pytest('raises(ValueError)'),
  warns: pytest('warns(UserWarning)'),
  subTest: () => 'R(lambda: M("unittest").TestCase().subTest())',
};

/** Whether a call fails as assertions do (`F`), later (`L`), or by any error (`X`). */
export const JAVASCRIPT_FAILS = [
  "const D = (error) => error?.code === 'ERR_ASSERTION';",
  'const F = (call) => { try { call(); return false; } catch (error) { return D(error); } };',
  'const X = (call) => { try { call(); return false; } catch { return true; } };',
  'const L = (call) => Promise.resolve().then(call).then(() => false, D);',
].join(' ');

/** `F` calls, `W` does nothing in a block, `R` fails in one. Each tells whether an assertion failed. */
export const PYTHON_FAILS = `
def F(call):
    try:
        call()
    except BaseException as e:
        return isinstance(e, AssertionError) or type(e).__name__ == "Failed"
    return False
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
