import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writtenHead } from '../../src/stack/backup/backup-format.ts';
import { makeBackup } from '../../src/stack/backup/make-backup.ts';
import { start } from '../cli/command-line.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { faultOf, putBack } from './served-home.ts';

const isRoot = process.getuid?.() === 0;

let place: string;
let home: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'goalkeeper-odd-'));
  home = join(place, 'home');
  mkdirSync(join(home, 'worktrees'), { recursive: true });
  chmodSync(home, 0o711);
  writeFileSync(join(home, 'token'), 'secret', { mode: 0o600 });
});
// Deeper than paths are long.
afterEach(() => execFileSync('rm', ['-rf', place]));

const signal = new AbortController().signal;
const backUp = (folder: string) =>
  makeBackup({ home, folder, hasDatabase: false, onProgress: () => {}, signal });

/** Folders in each other, as one command makes them, with a file in the innermost. */
function nest(folder: string, levels: number, name = 'd'): void {
  const half = (count: number) => `mkdir -p $(printf '${name}/%.0s' $(seq ${count})) && cd $_`;
  const script = `${half(levels / 2)} && ${half(levels / 2)} && echo there > file`;
  execFileSync('bash', ['-c', script], { cwd: folder, stdio: 'ignore' });
}

test('KEEP-76 folders that a goal nested as deep as a path reaches are copied and put back', async () => {
  const inner = `${'d/'.repeat(1400)}file`;
  nest(join(home, 'worktrees'), 1400);
  const made = await backUp(join(place, 'made'));
  expect(made.leftOut).toEqual([]);
  await putBack(join(place, 'made'), join(place, 'restored'));
  expect(readFileSync(join(place, 'restored/worktrees', inner), 'utf8')).toBe('there\n');
});

test('KEEP-76 what lies too deep for the place is left out and named, and all else is there', async () => {
  mkdirSync(join(home, 'worktrees', 'a'));
  nest(join(home, 'worktrees', 'a'), 400, 'deep-in-it');
  writeFileSync(join(home, 'worktrees', 'beside'), 'beside');
  const made = await backUp(join(place, 'made'));
  expect(made.leftOut).toEqual([
    { path: expect.stringMatching(/^worktrees\/a\/(deep-in-it\/)+deep-in-it$/), why: 'too_long' },
  ]);
  await putBack(join(place, 'made'), join(place, 'restored'));
  expect(readFileSync(join(place, 'restored/worktrees/beside'), 'utf8')).toBe('beside');
});

test('KEEP-77 a sparse file keeps its holes, and takes what it stores', async () => {
  const sparse = join(home, 'worktrees', 'sparse');
  writeFileSync(sparse, 'begin');
  truncateSync(sparse, 300 * 1024 * 1024);
  execFileSync('sh', ['-c', `printf end >> ${sparse}`]);
  const made = await backUp(join(place, 'made'));
  expect(made.bytes).toBeGreaterThan(300 * 1024 * 1024);
  expect(made.stored).toBeLessThan(1024 * 1024);
  await putBack(join(place, 'made'), join(place, 'restored'));
  const restored = join(place, 'restored/worktrees/sparse');
  expect(statSync(restored).size).toBe(statSync(sparse).size);
  for (const copy of [restored, join(place, 'made/home/worktrees/sparse')])
    expect(statSync(copy).blocks * 512).toBeLessThan(1024 * 1024);
  const tail = execFileSync('tail', ['-c', '3', restored], { encoding: 'utf8' });
  expect(tail).toBe('end');
});

test('KEEP-77 holes of terabytes are left out and named; the backup is made', async () => {
  writeFileSync(join(home, 'worktrees', 'huge'), '');
  truncateSync(join(home, 'worktrees', 'huge'), 10 * 1024 ** 4);
  const made = await backUp(join(place, 'made'));
  expect(made.leftOut).toEqual([{ path: 'worktrees/huge', why: 'holes' }]);
  await putBack(join(place, 'made'), join(place, 'restored'));
  expect(existsSync(join(place, 'restored/worktrees/huge'))).toBe(false);
});

test.skipIf(!canMount)('KEEP-77 where space is missing, the largest files are named', async () => {
  const disk = mountSmallDisk(80);
  try {
    for (const [name, megabytes] of [
      ['small', 1],
      ['large', 40],
    ] as const)
      writeFileSync(join(home, 'worktrees', name), Buffer.alloc(megabytes * 1024 * 1024, 1));
    expect(await faultOf(backUp(join(disk.path, 'made')))).toMatchObject({
      ...{ code: 'space', message: expect.stringContaining('home/worktrees/large (40 MB)') },
    });
  } finally {
    await disk.remove();
  }
});

test('KEEP-78 a copy that lost modes and owners is put back with those that were', async () => {
  mkdirSync(join(home, 'proofs'), { mode: 0o750 });
  writeFileSync(join(home, 'proofs', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  chmodSync(join(home, 'proofs', 'run.sh'), 0o755);
  symlinkSync('run.sh', join(home, 'proofs', 'link'));
  if (isRoot) {
    const own = ['-h', '1234:2345', join(home, 'proofs/run.sh'), join(home, 'proofs/link')];
    execFileSync('chown', own);
  }
  await backUp(join(place, 'made'));
  execFileSync('cp', ['-r', '--no-preserve=all', join(place, 'made'), join(place, 'copy')]);
  chmodSync(join(place, 'copy/home/token'), 0o4777);
  if (isRoot) execFileSync('chown', ['1234', join(place, 'copy/home/token')]);
  const to = join(place, 'restored');
  await putBack(join(place, 'copy'), to);
  const rightsOf = (root: string, path: string) => {
    const { mode, uid, gid } = lstatSync(join(root, path));
    return { mode: mode & 0o7777, uid, gid };
  };
  for (const path of ['', 'token', 'proofs', 'proofs/run.sh', 'proofs/link'])
    expect(rightsOf(to, path), path).toEqual(rightsOf(home, path));
});

test('KEEP-78 of an older backup, whose list has no modes, keys and the home are closed to others', async () => {
  const folder = join(place, 'made');
  await backUp(folder);
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
  const list = readFileSync(join(folder, 'files.sha256'), 'latin1')
    .replaceAll(/^((?:link:)?[0-9a-f]{64}|folder) \d+ \d+ \d+ {2}/gm, '$1  ')
    .replaceAll(/\0((?:link:)?[0-9a-f]{64}|folder) \d+ \d+ \d+ {2}/g, '\0$1  ');
  writeFileSync(join(folder, 'files.sha256'), Buffer.from(list, 'latin1'));
  const {
    stored: _,
    own: __,
    ...head
  } = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  const former = { ...head, version: 2, leftOut: ['worktrees/closed'], sha256: sha256(list) };
  writeFileSync(join(folder, 'backup.json'), JSON.stringify(former));
  chmodSync(join(folder, 'home'), 0o755);
  chmodSync(join(folder, 'home/token'), 0o4777);
  const to = join(place, 'restored');
  const put = await putBack(folder, to);
  expect(put.leftOut).toEqual([{ path: 'worktrees/closed', why: 'unreadable' }]);
  expect([to, join(to, 'token')].map((path) => statSync(path).mode & 0o7777)).toEqual([
    ...[0o711, 0o700],
  ]);
});

test.each([
  ['files', 1],
  ['bytes', -1],
])('KEEP-79 a head whose %s are not those that are there is told', async (name, more) => {
  const folder = join(place, 'made');
  await backUp(folder);
  const head = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  writeFileSync(join(folder, 'backup.json'), writtenHead({ ...head, [name]: head[name] + more }));
  expect(await faultOf(putBack(folder, join(place, 'restored')))).toMatchObject({
    ...{ code: 'altered', message: expect.stringContaining('backup.json says') },
  });
});

test('KEEP-83 a head of which one bit is another one is told, wherever it is', async () => {
  const folder = join(place, 'made');
  await backUp(folder);
  const head = join(folder, 'backup.json');
  const written = readFileSync(head);
  const to = join(place, 'restored');
  for (const [index, byte] of written.entries()) {
    const other = Buffer.from(written);
    other[index] = byte ^ (1 << (index % 7));
    writeFileSync(head, other);
    expect(await faultOf(putBack(folder, to)), `byte ${index}`).toMatchObject({
      code: expect.stringMatching(/^(?:altered|no_backup|too_new|other_postgres)$/),
    });
  }
  expect(existsSync(to)).toBe(false);
  writeFileSync(head, written);
  await putBack(folder, to);
});

test('KEEP-84 a head without its own digest is of an older backup, or no head', async () => {
  const folder = join(place, 'made');
  await backUp(folder);
  const head = join(folder, 'backup.json');
  const { own: _, ...former } = JSON.parse(readFileSync(head, 'utf8'));
  writeFileSync(head, JSON.stringify(former));
  expect(await faultOf(putBack(folder, join(place, 'a')))).toMatchObject({ code: 'altered' });
  writeFileSync(head, JSON.stringify({ ...former, version: 3 }));
  await putBack(folder, join(place, 'a'));
});

test('KEEP-80 pipes and sockets are named', async () => {
  execFileSync('mkfifo', [join(home, 'worktrees/pipe')]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(home, 'worktrees/socket'), resolve));
  try {
    const made = await backUp(join(place, 'made'));
    expect(made.leftOut.map(({ path, why }) => `${path} ${why}`).sort()).toEqual([
      ...['worktrees/pipe no_file', 'worktrees/socket no_file'],
    ]);
  } finally {
    server.close();
  }
});

test('KEEP-81 a path that no disk takes is refused with the path and the way out, not as a defect', async () => {
  writeFileSync(join(place, 'file'), '');
  const cases = [
    [join(place, 'file/made'), 'is no folder'],
    [join(place, 'n'.repeat(300)), 'too long'],
    [join(place, ...Array.from({ length: 60 }, () => 'n'.repeat(80))), 'too long'],
    ['/proc/made', 'not there'],
  ] as const;
  for (const [folder, why] of cases) {
    const ran = await start(['backup', folder, '--files'], {
      GOALKEEPER_HOME: home,
      DATABASE_URL: 'postgres://of-your-own/goalkeeper',
    }).done;
    expect(ran.err, folder).toContain(why);
    expect(ran.err, folder).toContain(folder.slice(0, 60));
    expect([ran.exitCode, ran.err.includes('defect')]).toEqual([3, false]);
  }
  const ran = await start(['restore', join(place, 'file/made')], {
    GOALKEEPER_HOME: join(place, 'file/home'),
  }).done;
  expect([ran.exitCode, ran.err.includes('defect')]).toEqual([3, false]);
});
