import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statsOf } from '../../src/process/stats-of.ts';
import { temporaryFolder } from '../tools/support.ts';

test('CON-146 a path through a file, a circle of links, or of too many bytes leads to nothing', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'folder'));
  symlinkSync('circle', join(folder, 'circle'));
  for (const path of [
    'absent',
    'file/x',
    'circle/x',
    `folder/${'x'.repeat(300)}`,
    'd/'.repeat(3000),
  ])
    expect(statsOf(join(folder, path))).toBeUndefined();
  expect(statsOf(join(folder, 'file'))?.isFile()).toBe(true);
  expect(statsOf(join(folder, 'circle'))?.isSymbolicLink()).toBe(true);
  expect(statsOf(join(folder, 'file'), { bigint: true })?.size).toBe(0n);
});
