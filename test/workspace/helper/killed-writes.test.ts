import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { takeFingerprint } from '../../../src/workspace/fingerprint.ts';
import { TEMP_FILE, writeFileAtomically } from '../../../src/workspace/helper/write-file.ts';
import { sha256 } from '../../../src/workspace/paths.ts';
import { temporaryFolder } from '../../tools/support.ts';
import { CONTENTS } from './write-contents.ts';

const KILLS = Number(process.env.GOALKEEPER_KILLS ?? 4);
const script = fileURLToPath(new URL('./write-loop.ts', import.meta.url));

async function killedWrite(): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, 'file.txt');
  await writeFile(path, CONTENTS[0] as string);
  await chmod(path, 0o640);
  const child = fork(script, [path], { execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  await once(child, 'message');
  // Any moment is as good as another.
  await sleep(Math.random() * 40);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return folder;
}

test('F22 a writer that is killed at any moment leaves one content or the other, and its mode', async () => {
  const folders = await Promise.all(Array.from({ length: KILLS }, killedWrite));
  for (const folder of folders) {
    const path = join(folder, 'file.txt');
    const found = await readFile(path, 'utf8');
    expect(CONTENTS.includes(found)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    const left = (await readdir(folder)).filter((name) => name !== 'file.txt');
    expect(left.every((name) => TEMP_FILE.test(name))).toBe(true);
    // The same call again takes nothing over from its predecessor, and leaves nothing.
    const order = { path, expected: sha256(Buffer.from(found)), callId: 't1.s1.1' };
    await writeFileAtomically({ ...order, content: Buffer.from('short') });
    expect(await readFile(path, 'utf8')).toBe('short');
    expect(await readdir(folder)).toEqual(['file.txt']);
  }
});

test('F22 a temp file that nobody takes up again is removed once it is old', async () => {
  const folder = await temporaryFolder();
  const [young, old] = ['.goalkeeper-00000000000000aa.tmp', '.goalkeeper-00000000000000bb.tmp'];
  for (const name of [young, old, '.goalkeeper-xyz.tmp']) await writeFile(join(folder, name), 'x');
  const anHourAgo = Date.now() / 1000 - 3600;
  await utimes(join(folder, old), anHourAgo, anHourAgo);
  const seen = await takeFingerprint(folder);
  expect([...seen.keys()]).toEqual(['.goalkeeper-xyz.tmp']);
  expect((await readdir(folder)).sort()).toEqual([young, '.goalkeeper-xyz.tmp'].sort());
});
