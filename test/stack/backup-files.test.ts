import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyTree } from '../../src/stack/backup/copy-tree.ts';
import { makeBackup } from '../../src/stack/backup/make-backup.ts';
import { removeTree } from '../../src/stack/backup/remove-tree.ts';
import { folderApart } from '../../src/stack/postgres-cluster.ts';
import { start } from '../cli/command-line.ts';
import { faultOf, putBack } from './served-home.ts';

let place: string;
let home: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'goalkeeper-backup-'));
  home = join(place, 'home');
  mkdirSync(join(home, 'worktrees'), { recursive: true });
  writeFileSync(join(home, 'worktrees', 'kept'), 'kept');
});
afterEach(() => removeTree(place));

const signal = new AbortController().signal;
const backUp = (folder: string, onProgress: () => void = () => {}) =>
  makeBackup({ home, folder, hasDatabase: false, onProgress, signal });

/** Modes keep nothing from root. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return await work();
  execFileSync('chown', ['-R', '--no-dereference', '65534', place]);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const named = (root: string, name: Buffer) =>
  Buffer.concat([Buffer.from(`${root}/worktrees/`), name]);

test('KEEP-60 a file comes back whatever bytes its name has', async () => {
  const lines = ['two\nlines', 'a\rb', 'line\u2028separator', '%0A', '\\n', 'ü', ' '];
  const names = [...lines.map((name) => Buffer.from(name)), Buffer.from([0x66, 0xff, 0xfe])];
  for (const name of names) writeFileSync(named(home, name), name);
  mkdirSync(named(home, Buffer.from([0xfd])));
  writeFileSync(named(home, Buffer.from([0xfd, 0x2f, 0xfc])), 'inside');
  await backUp(join(place, 'made'));
  const to = join(place, 'restored');
  await putBack(join(place, 'made'), to);
  for (const name of names) expect(readFileSync(named(to, name))).toEqual(name);
  expect(readFileSync(named(to, Buffer.from([0xfd, 0x2f, 0xfc])), 'utf8')).toBe('inside');
});

test('KEEP-60 a backup of the first format comes back, also where a name has line breaks', async () => {
  const folder = join(place, 'made');
  writeFileSync(join(home, 'worktrees', 'two\nlines'), 'two');
  await backUp(folder);
  const digest = (content: string) => createHash('sha256').update(content).digest('hex');
  const list =
    `${digest('kept')}  home/worktrees/kept\n` + `${digest('two')}  home/worktrees/two\nlines\n`;
  writeFileSync(join(folder, 'files.sha256'), list);
  const {
    leftOut: _,
    own: __,
    ...head
  } = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  writeFileSync(
    join(folder, 'backup.json'),
    JSON.stringify({ ...head, version: 1, sha256: digest(list) }),
  );
  const to = join(place, 'restored');
  await putBack(folder, to);
  expect(readFileSync(join(to, 'worktrees', 'two\nlines'), 'utf8')).toBe('two');
});

test('KEEP-61 a link or a folder that is gone or another one is told, as files are', async () => {
  const folder = join(place, 'made');
  mkdirSync(join(home, 'proofs', 'empty'), { recursive: true });
  symlinkSync('kept', join(home, 'worktrees', 'link'));
  await backUp(folder);
  const link = join(folder, 'home/worktrees/link');
  const empty = join(folder, 'home/proofs/empty');
  const to = join(place, 'restored');
  const isTold = async (name: string) =>
    expect(await faultOf(putBack(folder, to))).toMatchObject({
      ...{ code: 'altered', message: expect.stringContaining(name) },
    });
  rmSync(link);
  await isTold('home/worktrees/link');
  symlinkSync('/etc/passwd', link);
  await isTold('home/worktrees/link');
  rmSync(link);
  writeFileSync(link, 'kept');
  await isTold('home/worktrees/link');
  rmSync(link);
  symlinkSync('kept', link);
  rmSync(empty, { recursive: true });
  await isTold('home/proofs/empty');
  mkdirSync(empty);
  mkdirSync(join(folder, 'home/more'));
  await isTold('home/more');
  rmSync(join(folder, 'home/more'), { recursive: true });
  await putBack(folder, to);
  expect(lstatSync(join(to, 'worktrees/link')).isSymbolicLink()).toBe(true);
});

test('KEEP-62 a place that leads into the home or the backup is refused, whatever its path says', async () => {
  symlinkSync(join(home, 'worktrees'), join(place, 'elsewhere'));
  for (const folder of [join(home, '..made'), join(place, 'elsewhere', 'made'), home])
    expect(await faultOf(backUp(folder))).toMatchObject({ code: 'place' });
  expect(readdirSync(join(home, 'worktrees'))).toEqual(['kept']);
  const made = join(place, '..made');
  await backUp(made);
  symlinkSync(join(made, 'home'), join(place, 'inside'));
  for (const to of [join(made, '..restored'), join(place, 'inside', 'new')])
    expect(await faultOf(putBack(made, to))).toMatchObject({ code: 'place' });
  // What a restore left that broke off is emptied, but no backup.
  const to = join(place, 'restored');
  mkdirSync(to);
  writeFileSync(join(to, 'restoring'), made);
  renameSync(made, join(to, 'made'));
  expect(await faultOf(putBack(join(to, 'made'), to))).toMatchObject({ code: 'place' });
  expect(existsSync(join(to, 'made', 'backup.json'))).toBe(true);
});

test('KEEP-63 a restore that broke off begins anew for who is not root, with nothing of another backup', async () => {
  const worktree = join(home, 'worktrees');
  mkdirSync(join(worktree, 'objects'));
  writeFileSync(join(worktree, 'objects', 'aa'), 'an object', { mode: 0o444 });
  writeFileSync(join(worktree, 'only-in-one'), 'one');
  chmodSync(join(worktree, 'objects'), 0o555);
  const [one, two] = [join(place, 'one'), join(place, 'two')];
  await backUp(one);
  rmSync(join(worktree, 'only-in-one'));
  await backUp(two);
  writeFileSync(join(one, 'home/zz'), 'more');
  writeFileSync(join(two, 'home/zz'), 'more');
  const to = join(place, 'restored');
  await asOrdinaryUser(async () => {
    expect(await faultOf(putBack(one, to))).toMatchObject({ code: 'altered' });
    expect(existsSync(join(to, 'worktrees/objects/aa'))).toBe(true);
    expect(await faultOf(putBack(two, to))).toMatchObject({ code: 'altered' });
    rmSync(join(two, 'home/zz'));
    await putBack(two, to);
  });
  expect(readdirSync(join(to, 'worktrees')).sort()).toEqual(['kept', 'objects']);
});

test('KEEP-64 of two backups to one folder the second is refused, and the first is whole', async () => {
  const folder = join(place, 'made');
  for (let at = 0; at < 50; at += 1) writeFileSync(join(home, `file-${at}`), 'x');
  let second: Promise<unknown> | null = null;
  await backUp(folder, () => {
    second ??= faultOf(backUp(folder));
  });
  expect(await second).toMatchObject({ code: 'running' });
  const to = join(place, 'restored');
  await putBack(folder, to);
  expect(readdirSync(to)).toHaveLength(51);
  expect(readdirSync(place).sort()).toEqual(['home', 'made', 'restored']);
  // What a process that was killed left is taken away.
  mkdirSync(join(place, 'next.partial/home'), { recursive: true });
  writeFileSync(join(place, 'next.partial/home/old'), 'old');
  await backUp(join(place, 'next'));
  expect(readdirSync(join(place, 'next/home'))).not.toContain('old');
});

test('KEEP-65 a target that is taken away is no file that is gone', async () => {
  const to = join(place, 'to');
  for (let at = 0; at < 3; at += 1) writeFileSync(join(home, `file-${at}`), 'x');
  const copied = copyTree({ from: home, to, isKept: () => true, signal });
  await copied.next();
  rmSync(to, { recursive: true });
  await expect(
    (async () => {
      for await (const _ of copied);
    })(),
  ).rejects.toMatchObject({ code: 'disk', message: expect.stringMatching(/file-\d.*ENOENT/) });
});

/** What a command does to the tree while the copy looks at an entry: it has looked, and not opened it. */
const swapping = (at: string, swap: () => void) => {
  let isDone = false;
  return (path: string) => {
    if (path === at && !isDone) {
      isDone = true;
      queueMicrotask(swap);
    }
    return true;
  };
};

test('KEEP-66 a link or pipe that is put in a file’s or folder’s place is neither followed nor waited for', async () => {
  const secret = join(place, 'secret');
  mkdirSync(secret);
  writeFileSync(join(secret, 'key'), 'of others');
  const copy = async (to: string, at: string, swap: () => void) => {
    const isKept = swapping(at, swap);
    for await (const _ of copyTree({ from: home, to, isKept, signal }));
  };
  const kept = join(home, 'worktrees/kept');
  const asFile = join(place, 'as-file');
  await copy(asFile, 'worktrees/kept', () => {
    execFileSync('ln', ['-s', join(secret, 'key'), join(place, 'aside')]);
    renameSync(join(place, 'aside'), kept);
  });
  expect(lstatSync(join(asFile, 'worktrees/kept')).isSymbolicLink()).toBe(true);
  rmSync(kept);
  writeFileSync(kept, 'kept');
  const asPipe = join(place, 'as-pipe');
  await copy(asPipe, 'worktrees/kept', () => {
    execFileSync('mkfifo', [join(place, 'aside')]);
    renameSync(join(place, 'aside'), kept);
  });
  expect(readdirSync(join(asPipe, 'worktrees'))).toEqual([]);
  rmSync(kept);
  writeFileSync(join(home, 'worktrees/key'), 'own');
  const asFolder = join(place, 'as-folder');
  await copy(asFolder, 'worktrees/key', () => {
    renameSync(join(home, 'worktrees'), join(home, 'moved'));
    symlinkSync(secret, join(home, 'worktrees'));
  });
  expect(readFileSync(join(asFolder, 'worktrees/key'), 'utf8')).toBe('own');
});

test('KEEP-67 what goals closed to the service is left out and named; a part of its own ends the backup', async () => {
  const closed = join(home, 'worktrees', 'closed');
  mkdirSync(closed);
  writeFileSync(join(closed, 'x'), 'x');
  writeFileSync(join(home, 'worktrees', 'mine'), 'x');
  chmodSync(closed, 0);
  chmodSync(join(home, 'worktrees', 'mine'), 0);
  const folder = join(place, 'made');
  await asOrdinaryUser(async () => {
    const made = await backUp(folder);
    expect([...made.leftOut].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: 'worktrees/closed', why: 'unreadable' },
      { path: 'worktrees/mine', why: 'unreadable' },
    ]);
    await putBack(folder, join(place, 'restored'));
    writeFileSync(join(home, 'token'), 'x', { mode: 0 });
    expect(await faultOf(backUp(join(place, 'other')))).toMatchObject({
      ...{ code: 'unreadable', message: expect.stringContaining('token') },
    });
  });
  expect(readdirSync(join(place, 'restored', 'worktrees'))).toEqual(['kept']);
  expect(existsSync(join(place, 'other.partial'))).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  'KEEP-68 a database that lies apart from its home is no remnant of a restore',
  async () => {
    const folder = join(place, 'made');
    await backUp(folder);
    const to = join(place, 'elsewhere');
    const data = folderApart(to);
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'PG_VERSION'), '18');
    try {
      expect(await faultOf(putBack(folder, to))).toMatchObject({
        ...{ code: 'place', message: expect.stringContaining(data) },
      });
      expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
    } finally {
      rmSync(join(data, '..'), { recursive: true });
    }
  },
);

test('KEEP-74 a home that nobody has is backed up by nobody, and is not made by it', async () => {
  const missing = join(place, 'mistyped');
  const folder = join(place, 'copy');
  for (const DATABASE_URL of ['', 'postgres://of-your-own/goalkeeper']) {
    const ran = await start(['backup', folder, '--files'], {
      GOALKEEPER_HOME: missing,
      DATABASE_URL,
    }).done;
    expect([ran.exitCode, ran.err]).toEqual([
      3,
      expect.stringContaining('is no home of a service'),
    ]);
    expect([existsSync(missing), existsSync(folder)]).toEqual([false, false]);
  }
});
