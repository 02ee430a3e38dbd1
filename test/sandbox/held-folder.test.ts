import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMounts } from '../../src/sandbox/git-folders.ts';
import { tamperingIn } from '../../src/sandbox/git-tampering.ts';
import { makeFolder } from '../../src/sandbox/held-folder.ts';
import { clearTheWay } from '../../src/sandbox/mount-points.ts';
import { openUp } from '../../src/sandbox/safe-read.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { SANDBOX, testBox } from './support.ts';

/** What a command leaves in a repository. It is found, and then swapped before it is taken away. */
interface Left {
  readonly what: string;
  readonly path: string;
  leave(place: string): Promise<unknown>;
}

const LEFT: readonly Left[] = [
  {
    what: 'commands of a rebase',
    path: 'rebase-merge/git-rebase-todo',
    leave: async (place) => {
      await mkdir(join(place, 'rebase-merge'));
      await writeFile(join(place, 'rebase-merge/git-rebase-todo'), 'exec x\nPLANTED\n');
    },
  },
  {
    what: 'a worktree that reads elsewhere',
    path: 'commondir',
    leave: (place) => writeFile(join(place, 'commondir'), '/elsewhere'),
  },
  {
    what: 'a hook',
    path: 'hooks/pre-push',
    leave: (place) => writeFile(join(place, 'hooks/pre-push'), '#!/bin/sh\n', { mode: 0o755 }),
  },
  {
    what: 'a setting',
    path: 'config',
    leave: async (place) => execFileSync('git', ['config', 'core.pager', 'x'], { cwd: place }),
  },
  {
    what: 'settings that git can not read',
    path: 'config.worktree',
    leave: async (place) => {
      await mkdir(join(place, 'config.worktree/inner'), { recursive: true });
      await writeFile(join(place, 'config.worktree/inner/kept'), '');
    },
  },
  {
    what: 'a remote of the old kind',
    path: 'remotes/away',
    leave: async (place) => {
      await mkdir(join(place, 'remotes'));
      await writeFile(join(place, 'remotes/away'), 'URL: /x');
    },
  },
];

async function ground() {
  const root = await temporaryFolder();
  const workspace = join(root, 'work');
  execFileSync('git', ['init', '-q', workspace]);
  // The place of a worktree, whose `commondir` is written anew.
  const place = join(workspace, '.git/worktrees/w');
  execFileSync('git', ['init', '-q', '--bare', place]);
  const victim = join(root, 'victim');
  const look = { reach: [workspace], sealed: new Set<string>() };
  return { root, workspace, place, victim, look };
}

/** Everything below a folder, with its content and mode. */
async function stateOf(path: string): Promise<string[]> {
  const stats = await stat(path);
  const own = `${path} ${stats.mode.toString(8)}`;
  if (!stats.isDirectory()) return [`${own} ${await readFile(path, 'latin1')}`];
  const inner = await Promise.all(
    (await readdir(path)).sort().map((one) => stateOf(join(path, one))),
  );
  return [own, ...inner.flat()];
}

describe('BOX-21: what a command swaps with a link while git is tidied up costs nothing behind it', () => {
  for (const { what, path, leave } of LEFT) {
    test(`${what}, swapped itself`, async () => {
      const { place, victim, look } = await ground();
      await leave(place);
      const findings = await tamperingIn([place], look);
      expect(findings).toHaveLength(1);
      await writeFile(victim, 'kept\n', { mode: 0o755 });
      const before = await stateOf(victim);
      await rm(join(place, path), { recursive: true });
      await symlink(victim, join(place, path));
      for (const finding of findings) await finding.take();
      expect(await stateOf(victim)).toEqual(before);
    });

    test(`${what}, swapped with the folder around it`, async () => {
      const { place, victim, look } = await ground();
      await leave(place);
      const findings = await tamperingIn([place], look);
      const around = dirname(join(place, path));
      await rename(around, `${around}-moved`);
      execFileSync('cp', ['-a', `${around}-moved`, victim]);
      const before = await stateOf(victim);
      await symlink(victim, around);
      for (const finding of findings) await finding.take();
      expect(await stateOf(victim)).toEqual(before);
    });
  }

  test('a folder without rights, behind a link by now', async () => {
    const { root, victim } = await ground();
    await mkdir(join(victim, 'inner'), { recursive: true });
    await chmod(join(victim, 'inner'), 0o500);
    await symlink(victim, join(root, 'folder'));
    await openUp(join(root, 'folder/inner'));
    expect((await stat(join(victim, 'inner'))).mode & 0o777).toBe(0o500);
  });

  test('a hook that has another name as well keeps its mode there', async () => {
    const { root, place, look } = await ground();
    const other = join(root, 'other');
    await writeFile(other, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync('ln', [other, join(place, 'hooks/pre-push')]);
    for (const finding of await tamperingIn([place], look)) await finding.take();
    expect((await stat(other)).mode & 0o777).toBe(0o755);
    expect(await readdir(join(place, 'hooks'))).not.toContain('pre-push');
  });

  test('a folder for hooks that is made before a command is made in the repository only', async () => {
    const { root, workspace, victim } = await ground();
    await mkdir(victim);
    await writeFile(join(victim, 'config'), '');
    const modules = join(workspace, '.git/modules');
    await mkdir(modules);
    await symlink(root, join(modules, 'a'));
    const entry = join(workspace, '.git/modules/a/victim');
    await makeFolder(join(entry, 'hooks'));
    expect(await readdir(victim)).toEqual(['config']);
    expect((await gitMounts(workspace, false)).mounts.length).toBeGreaterThan(0);
  });

  test('what stands in the way of a mount goes, and nothing behind a link', async () => {
    const { root } = await ground();
    const [home, victim] = [join(root, 'home'), join(root, 'victim')];
    await mkdir(home);
    await mkdir(victim);
    await writeFile(join(victim, 'a'), 'kept');
    await symlink(victim, join(home, 'way'));
    await clearTheWay([
      { kind: 'writable', at: '/h', from: home },
      { kind: 'readable', at: '/h/way/a' },
    ]);
    expect(await readFile(join(victim, 'a'), 'utf8')).toBe('kept');
    expect(await readlink(join(home, 'way')).catch(() => 'gone')).toBe('gone');
  });
});

describeWith(SANDBOX, 'BOX-24: a box shows what the host saw there', () => {
  test('a module of the repository that changes places with a link is never shown as another folder', async () => {
    const { root, workspace, victim } = await ground();
    await mkdir(victim);
    await writeFile(join(victim, 'secret'), 'of the host');
    await writeFile(join(victim, 'config'), '');
    const modules = join(workspace, '.git/modules');
    execFileSync('git', ['init', '-q', '--bare', join(modules, 'm')]);
    await symlink(victim, join(modules, 'l'));
    const swap = [
      'import ctypes, sys',
      'call = ctypes.CDLL(None).renameat2',
      'm, l = (sys.argv[1] + "/" + name for name in "ml")',
      'print("begun", flush=True)',
      'while True: call(-100, m.encode(), -100, l.encode(), 2)',
    ].join('\n');
    const box = await testBox({ workspace, home: join(root, 'home') });
    const swapping = spawn('python3', ['-c', swap, modules]);
    const seen: string[] = [];
    try {
      await once(swapping.stdout, 'data');
      for (let round = 0; round < 30; round += 1) {
        const look = 'cat .git/modules/*/secret 2>/dev/null; touch .git/modules/{l,m}/taken; true';
        await box.run(look).then(
          ({ output }) => seen.push(output),
          () => seen.push('refused'),
        );
      }
    } finally {
      swapping.kill('SIGKILL');
    }
    expect(seen.join()).not.toContain('of the host');
    expect(await readdir(victim)).not.toContain('taken');
  });
});
