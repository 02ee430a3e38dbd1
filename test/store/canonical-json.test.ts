import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalStorable, storable } from '../../src/store/json.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '\ud800', 'a\udc00', '\\u0000', '__proto__', '7', ''),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined)),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('any')),
    fc.dictionary(text, tie('any')),
  ),
})).any;

test('a value has one canonical text, before it is stored and after it is read', () => {
  fc.assert(
    fc.property(value, (one) => {
      const read = JSON.parse(JSON.stringify(storable(one)));
      expect(canonicalStorable(one)).toBe(canonicalJson(storable(one)));
      expect(canonicalStorable(read)).toBe(canonicalStorable(one));
    }),
    { numRuns: 500 },
  );
});

/** As digests were made that are stored. */
const byReplacer = (one: unknown) =>
  JSON.stringify(one, (_key, inner: unknown) =>
    typeof inner !== 'object' || inner === null || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))),
  );

test('the canonical text of a value is the one that stored digests were made of', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(canonicalJson(one)).toBe(byReplacer(one));
    }),
    { numRuns: 2000 },
  );
});
