import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  diffFingerprints,
  fingerprintDigest,
  takeFingerprint,
} from '../../src/tools/fingerprint.ts';
import { temporaryFolder } from './support.ts';

test('changes of the same length, new and removed files are seen; ignored ones are not', async () => {
  const root = await temporaryFolder();
  for (const folder of ['src', 'dist', '.git', 'node_modules/x']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, '.gitignore'), 'dist/\n*.log\n');
  await writeFile(join(root, 'src/.gitignore'), '!keep.log\n');
  await writeFile(join(root, 'src/a.ts'), 'one');
  await writeFile(join(root, 'gone.txt'), '');
  const before = await takeFingerprint(root);
  expect(fingerprintDigest(await takeFingerprint(root))).toBe(fingerprintDigest(before));
  await writeFile(join(root, 'src/a.ts'), 'two');
  await rm(join(root, 'gone.txt'));
  for (const path of ['new.txt', 'x.log', 'src/keep.log', 'dist/x', '.git/x', 'node_modules/x/y']) {
    await writeFile(join(root, path), '');
  }
  const after = await takeFingerprint(root);
  expect(diffFingerprints(before, after)).toEqual([
    'gone.txt',
    'new.txt',
    'src/a.ts',
    'src/keep.log',
  ]);
  expect(fingerprintDigest(after)).not.toBe(fingerprintDigest(before));
});

test('a file that is newly ignored counts as changed', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, 'a.test.ts'), '');
  const before = await takeFingerprint(root);
  await writeFile(join(root, '.gitignore'), '*.test.ts');
  expect(diffFingerprints(before, await takeFingerprint(root))).toEqual([
    '.gitignore',
    'a.test.ts',
  ]);
});

test('10,000 files take well under a second', async () => {
  const root = await temporaryFolder();
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync(join(root, `f${folder}`));
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(root, `f${folder}/${file}.ts`), 'x');
  }
  await takeFingerprint(root);
  const begun = performance.now();
  expect((await takeFingerprint(root)).size).toBe(10_000);
  const took = performance.now() - begun;
  if (process.env.MEASURE) console.log(`fingerprint of 10,000 files: ${took.toFixed(0)} ms`);
  expect(took).toBeLessThan(1000);
});
