import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskBytes, maskLines, maskText, StreamMask } from '../../src/secrets/mask.ts';

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD');
const secrets = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9+/=_.!~*'()&?%-]{8,60}$/),
    fc.string({ unit: 'binary', minLength: 8, maxLength: 40 }).filter((text) => text.length >= 8),
  )
  .map(wellFormed);
const around = fc.string({ unit: 'binary', maxLength: 120 });

const wrapped = (text: string, width: number, end = '\n') =>
  text.replace(new RegExp(`.{${width}}(?=.)`, 'gs'), `$&${end}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const coded = (json: string, letters: RegExp, digits = (code: string) => code) =>
  json.replace(letters, (one) => `\\u${digits(one.charCodeAt(0).toString(16).padStart(4, '0'))}`);

/** What a program makes of a text with a secret in it, and back. */
const encodings: Record<string, [(text: string) => string, (text: string) => string]> = {
  base64: [base64, (text) => Buffer.from(text, 'base64').toString()],
  'base64 in lines': [
    (text) => wrapped(base64(text), 76),
    (text) => Buffer.from(text, 'base64').toString(),
  ],
  'base64 in short lines': [
    (text) => wrapped(base64(text), 64, '\r\n'),
    (text) => Buffer.from(text, 'base64').toString(),
  ],
  base64url: [
    (text) => Buffer.from(text).toString('base64url'),
    (text) => Buffer.from(text, 'base64url').toString(),
  ],
  hex: [(text) => Buffer.from(text).toString('hex'), (text) => Buffer.from(text, 'hex').toString()],
  'hex in lines': [
    (text) => wrapped(Buffer.from(text).toString('hex').toUpperCase(), 60),
    (text) => Buffer.from(text.replaceAll('\n', ''), 'hex').toString(),
  ],
  URL: [
    (text) => encodeURIComponent(wellFormed(text)),
    (text) => decodeURIComponent(text.replaceAll('[masked]', '%5B')),
  ],
  form: [
    (text) => new URLSearchParams({ a: wellFormed(text) }).toString(),
    (text) => new URLSearchParams(text).get('a') ?? '',
  ],
  'base64 in lines of a JSON text': [
    (text) => JSON.stringify(wrapped(base64(text), 64, '\r\n')),
    (text) => Buffer.from(text.replaceAll('\\r\\n', ''), 'base64').toString(),
  ],
  'base64 in indented lines': [
    (text) => wrapped(base64(text), 40, '\n    '),
    (text) => Buffer.from(text, 'base64').toString(),
  ],
  JSON: [JSON.stringify, (text) => text],
  'JSON of Go': [(text) => coded(JSON.stringify(text), /[<>&\u2028\u2029]/g), (text) => text],
  'JSON of PHP': [
    (text) => coded(JSON.stringify(text), /[^\x20-\x7e]/g).replaceAll('/', '\\/'),
    (text) => text,
  ],
  'JSON of Jackson': [
    (text) => coded(JSON.stringify(text), /[^\x20-\x7e]/g, (code) => code.toUpperCase()),
    (text) => text,
  ],
};

test.each(Object.entries(encodings))(
  'MSK-1 a known secret is masked in %s, wherever it stands in what was encoded',
  (_, [encode, decode]) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const shown = maskText(encode(before + secret + after), [secret]);
        expect(shown).toContain('[masked]');
        expect(decode(shown).includes(secret)).toBe(false);
      }),
      { numRuns: 150 },
    );
  },
);

test('MSK-2 a stream and slices of bytes mask what the whole text masks, wherever they are cut', async () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 });
  const ascii = fc.stringMatching(/^[A-Za-z0-9+/]{12,40}$/);
  const ends = fc.constantFrom('\n', '\r\n', '\n  ', '\\n', '\\r\\n');
  await fc.assert(
    fc.asyncProperty(ascii, around, pieces, ends, async (secret, before, lengths, end) => {
      const lines = wrapped(base64(`${before}${secret}${before}`), 76, end);
      const text = `log\n${lines}\nthe end\n`;
      const stream = new StreamMask([secret]);
      let at = 0;
      let shown = '';
      for (const length of lengths) {
        shown += stream.push(text.slice(at, at + length));
        at += length;
      }
      shown += stream.push(text.slice(at)) + stream.end();
      expect(shown).toBe(maskText(text, [secret]));
      const bytes = Buffer.from(await maskBytes(Buffer.from(text), [secret])).toString();
      expect(bytes).toBe(shown);
      expect(maskLines(text, [secret]).split('\n')).toHaveLength(text.split('\n').length);
    }),
    {
      numRuns: 300,
      // Whole in the first line, whose last letter is the first of another form.
      examples: [
        ['+0a+AA+AAa+/0aAA+a0a/A0/Aa+', `\u0080${'\u{10000}'.repeat(7)}`, [30, 11, 40], '\n'],
        // Cut between the two letters of a line's end.
        ['aa/aa0++0+0+0++/+/', '\u{10000}'.repeat(10), [81], '\r\n'],
        ['aa/aa0++0+0+0++/+/', '\u{10000}'.repeat(10), [82], '\\r\\n'],
      ],
    },
  );
});

test('MSK-2 a stream cuts no secret of several words before the first ones of another', () => {
  const secrets = ['horse and battery', 'battery crate'];
  const stream = new StreamMask(secrets, 'words');
  const text = 'a horse and battery stapled, and more of it ';
  const shown = stream.push(text.slice(0, 20)) + stream.push(text.slice(20)) + stream.end();
  expect(shown).toBe(maskText(text, secrets));
  expect(shown).not.toContain('horse');
});

test('MSK-3 in a text without any blank a secret is found across every slice', async () => {
  const secret = 'correct-horse-battery-1';
  for (const form of [secret, base64(secret), wrapped(base64(secret), 12, '\\r\\n')]) {
    for (const shift of [-20, -7, -2, -1, 0, 1, 2, 7, 20]) {
      const text = `${'x'.repeat(256 * 1024 - 16 * 1024 + shift)}${form}${'y'.repeat(40_000)}`;
      const shown = Buffer.from(await maskBytes(Buffer.from(text), [secret])).toString();
      expect(shown).toContain('[masked]');
    }
  }
});

test('MSK-6 a long text without a blank is passed on as it comes, and masked like the whole', () => {
  // In base64 it begins with an x, as each letter around it could.
  const secret = 'āpfel-kuchen-1';
  expect(base64(secret)).toMatch(/^x/);
  const token = `ghp_${'a1B2'.repeat(9)}`;
  for (const hidden of [secret, base64(secret), `.${token}.`]) {
    const text = `${'x'.repeat(30_000)}${hidden}${'x'.repeat(30_000)}`;
    const stream = new StreamMask([secret], 'words');
    let shown = '';
    for (let at = 0; at < text.length; at += 37) {
      shown += stream.push(text.slice(at, at + 37));
      expect(at - shown.length).toBeLessThan(17_000);
    }
    shown += stream.end();
    expect(shown).toBe(maskText(text, [secret]));
    expect(shown).toContain('[masked]');
  }
});

test('MSK-6 secrets that begin within each other are not held for good', () => {
  const secret = 'ab'.repeat(20);
  const stream = new StreamMask([secret], 'words');
  let shown = 0;
  for (let pieces = 0; pieces < 500; pieces += 1) shown += stream.push('ab'.repeat(100)).length;
  expect(shown).toBeGreaterThan(0);
  expect(stream.end()).toContain('[masked]');
});
