import { expect, test } from 'vitest';
import { withSealedFiles } from '../../src/proof/sealed/file-names.ts';
import { hintOf } from '../../src/proof/sealed/told.ts';
import { reportOfNames } from '../../src/proof/test-report.ts';
import { decrypt, encrypt } from '../../src/sealed/cipher.ts';
import { packContent, unpackContent } from '../../src/sealed/content.ts';

const report = (failed: string[], passed: string[] = [], messages: string[] = []) =>
  reportOfNames('node:test', { passed, failed, skipped: [], messages });

test('SEAL-8 a sealed file wins over its name, over what is in its way and over what lies in it', () => {
  const tree = new Map([
    ['a', 1],
    ['test', 1],
    ['b/c/d', 1],
    ['other', 1],
  ]);
  const sealed = new Map([
    ['a', 2],
    ['test/x.js', 2],
    ['b/c', 2],
  ]);
  expect([...withSealedFiles(tree, sealed)]).toEqual([['other', 1], ...sealed]);
});

const known = report(['t.js > a', 't.js > b']);

test.each([
  ['none', report(['t.js > a'], [], ['why']), known, null],
  ['name', report(['t.js > a'], [], ['why']), known, 'the test "a" fails'],
  ['name', report(['t.js > what lies in the file']), known, null],
  ['name', report(['t.js > x', 't.js > b']), known, 'the test "b" fails'],
  ['name', report(['t.js > a']), null, null],
  ['message', report(['t.js > a'], [], ['why']), known, 'the test "a" fails: why'],
  ['message', report(['x'], [], [`1\n2 ${'x'.repeat(500)}`]), null, `1 2 ${'x'.repeat(196)}`],
  ['message', null, known, null],
] as const)('SEAL-3 a hint is what its caller allowed: %s', (allowed, failed, original, told) => {
  expect(hintOf(allowed, failed, original)).toBe(told);
});

test('SEAL-5 what was encrypted opens with its key and at its place, unchanged, and nowhere else', () => {
  const told = { sealed: true, name: 'n', description: 'd', hint: 'none' } as const;
  const check = { ...told, kind: 'command', command: 'c' } as const;
  const files = [
    { path: 'b', mode: 0o755, content: Buffer.from([0, 255, 10]) },
    { path: 'ä', mode: 0o644, content: Buffer.from('') },
  ] as const;
  const key = { keyId: '1', bytes: Buffer.alloc(32, 1) };
  const sealed = encrypt(key, 'sl-1', packContent({ check, files }));
  const opened = decrypt(key, 'sl-1', sealed);
  expect(opened && unpackContent(opened)).toEqual({ check, files });
  expect(decrypt(key, 'sl-2', sealed)).toBeNull();
  expect(decrypt({ ...key, bytes: Buffer.alloc(32, 2) }, 'sl-1', sealed)).toBeNull();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(decrypt(key, 'sl-1', sealed)).toBeNull();
});
