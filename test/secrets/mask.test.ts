import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskBytes, maskText } from '../../src/secrets/mask.ts';

const SECRET = 'correct horse battery';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

test('bytes that hold no secret come back untouched, valid text or not', async () => {
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 31) % 256);
  expect(await maskBytes(bytes, [SECRET])).toBe(bytes);
});

test('a secret is masked wherever the slices are cut, and the bytes around it stay', async () => {
  const cut = 256 * 1024;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(SECRET, TOKEN),
      fc.integer({ min: -60, max: 60 }),
      fc.constantFrom(' ', 'x', 'é', '\n'),
      async (secret, shift, filler) => {
        const before = filler.repeat(Math.floor((cut + shift) / utf8(filler).length));
        const given = `${before} ${secret} and ${filler.repeat(20_000)} ${secret}`;
        const masked = text(await maskBytes(utf8(given), [SECRET]));
        expect(masked).toBe(maskText(given, [SECRET]));
        expect(masked).not.toContain(secret);
      },
    ),
    { numRuns: 40 },
  );
});

test('a private key of several lines is masked across a cut', async () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQ\n'.repeat(300)}-----END PRIVATE KEY-----`;
  const given = `${'log line\n'.repeat(29_000)}${key}\nthe end`;
  expect(text(await maskBytes(utf8(given), []))).toMatch(/log line\n\[masked\]\nthe end$/);
});
