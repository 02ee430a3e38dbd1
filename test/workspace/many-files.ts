import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { restoreTree } from '../../src/checkpoints/restore.ts';
import { takeSnapshot } from '../../src/checkpoints/snapshot.ts';
import { grepSearchTool } from '../../src/tools/grep-search.ts';
import { diffFingerprints, takeFingerprint } from '../../src/workspace/fingerprint.ts';
import { placeEntry } from '../../src/workspace/helper/place-entry.ts';
import { temporaryFolder, testContext } from '../tools/support.ts';

const A_FOLDER = 100;

async function tree(files: number): Promise<{ home: string; workspace: string }> {
  const home = await temporaryFolder();
  const workspace = join(home, 'tree');
  for (let file = 0; file < files; file += 1) {
    const folder = join(workspace, `f${Math.floor(file / A_FOLDER)}`);
    if (file % A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${file}.ts`),
      `export const value${file} = '${'x'.repeat(400)}';\n`,
    );
  }
  return { home, workspace };
}

const said: string[] = [];

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  let most = process.memoryUsage().rss;
  const before = most;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const result = await work().finally(() => clearInterval(timer));
  most = Math.max(most, process.memoryUsage().rss);
  const seconds = ((performance.now() - from) / 1000).toFixed(2);
  said.push(`${what}: ${seconds} s, +${Math.round((most - before) / 2 ** 20)} MB`);
  return result;
}

/** Looked at, kept, searched and taken back. `GOALKEEPER_MANY_FILES` prints times and memory. */
export async function goThrough(files: number): Promise<void> {
  const { home, workspace } = await tree(files);
  const place = { folder: join(home, 'checkpoints', 'g-1') };
  const before = await timed('first look', () => takeFingerprint(workspace));
  expect(before.size).toBe(files);
  const first = await timed('first checkpoint', () => takeSnapshot(place, workspace));
  expect(first.changed).toBe(files);
  const changed = join(workspace, 'f0/7.ts');
  writeFileSync(changed, 'needle\n');
  const after = await timed('look', () => takeFingerprint(workspace));
  expect(diffFingerprints(before, after)).toEqual(['f0/7.ts']);
  const second = await timed('checkpoint of one change', () => takeSnapshot(place, workspace));
  expect(second.changed).toBe(1);
  const context = testContext(workspace, {} as never);
  const found = await timed('search', () =>
    grepSearchTool.run({ pattern: 'needle' }, context, undefined),
  );
  expect(found.text).toContain('f0/7.ts:1:needle');
  const effects = { placeEntry };
  const { commit: target } = first;
  const restored = await timed('rewind of one change', () =>
    restoreTree({ place, workspace, target, present: second, effects }),
  );
  expect(restored.changed).toEqual(['f0/7.ts']);
  expect(readFileSync(changed, 'utf8')).toContain('value7');
  const own = `whole process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;
  if (process.env.GOALKEEPER_MANY_FILES !== undefined) console.log([...said, own].join('\n'));
}
