import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { EXPECT_ASSERTIONS, JAVASCRIPT_FAILS } from '../../../src/proof/canaries/assertions.ts';

const nonce = { text: 'gk0123456789abcdef', number: 4242 };
const M = (name: string) => createRequire(import.meta.url)(`node:${name}`);

/** Whether all that has to fail does, of this `expect`. */
const holdsOf = (name: string, own: unknown): boolean =>
  new Function('M', 'expect', `${JAVASCRIPT_FAILS} return ${EXPECT_ASSERTIONS[name]?.(nonce)};`)(
    M,
    own,
  );

const names = Object.keys(EXPECT_ASSERTIONS);
const always = () => new Proxy({}, { get: () => () => {} });

test.each(names)('WORD-56: where its meaning does not hold, %s fails', (name) => {
  expect(holdsOf(name, expect)).toBe(true);
});

test('WORD-57: a matcher that holds whatever it is given says so, whichever it is', () => {
  const silent = names.filter((name) => holdsOf(name, always));
  // Whatever is asked of, none of it is switched off.
  expect(silent).toEqual(['toBeEnabled']);
});
