import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGit } from '../../../src/workspace/git/read-git.ts';
import { openRepository } from '../../../src/workspace/git/repository.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-git-'));
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.email', 'a@example.com');
  await git('config', 'user.name', 'A');
  await put('kept.txt', 'one');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'first');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const git = async (...args: string[]) => (await run('git', ['-C', folder, ...args])).stdout.trim();
const put = (path: string, text: string) => writeFile(join(folder, path), text);

describe('the host’s own look at git', () => {
  it('sees changed, new and committed files since a commit', async () => {
    const before = await readGit(folder, null);
    await put('new.txt', 'x');
    await git('add', 'new.txt');
    await git('commit', '-q', '-m', 'second');
    await put('kept.txt', 'two');
    await put('loose.txt', 'x');
    expect(await readGit(folder, before)).toMatchObject({
      branch: 'main',
      committed: ['new.txt'],
      modified: ['kept.txt'],
      untracked: ['loose.txt'],
    });
  });

  it('is not deceived by flags in the repository’s index nor by its private excludes', async () => {
    await git('update-index', '--assume-unchanged', 'kept.txt');
    await put('kept.txt', 'two');
    await put('.git/info/exclude', 'hidden.txt\n');
    await put('hidden.txt', 'x');
    const seen = await readGit(folder, null);
    expect(seen).toMatchObject({ modified: ['kept.txt'], untracked: ['hidden.txt'] });
  });

  it('takes a staged file for one that is not committed, and an empty commit for no change', async () => {
    const before = await readGit(folder, null);
    await git('commit', '-q', '--allow-empty', '-m', 'nothing');
    await put('staged.txt', 'x');
    await git('add', 'staged.txt');
    const seen = await readGit(folder, before);
    expect(seen).toMatchObject({ committed: [], untracked: ['staged.txt'] });
  });

  it.each(['evil', 'x=y'])(
    'runs no program that the repository’s configuration names, by a filter %s',
    async (filter) => {
      const trap = join(folder, '.git', 'trap');
      await put('.git/trap', `#!/bin/sh\ntouch ${join(folder, '.git', 'trapped')}\ncat\n`);
      await chmod(trap, 0o755);
      await put('.gitattributes', `* filter=${filter} diff=evil\n`);
      await git('add', '-A');
      await git('commit', '-q', '-m', 'attributes');
      for (const name of [
        'core.fsmonitor',
        'core.pager',
        'diff.external',
        'diff.evil.textconv',
        'diff.evil.command',
        `filter.${filter}.clean`,
        `filter.${filter}.process`,
      ]) {
        await git('config', name, trap);
      }
      await git('config', `filter.${filter}.required`, 'true');
      await put('kept.txt', 'two');
      const before = await git('rev-parse', 'HEAD~1');
      const seen = await readGit(folder, { head: before, loose: {} });
      expect(seen).toMatchObject({ modified: ['kept.txt'], committed: ['.gitattributes'] });
      const repository = await openRepository(folder);
      expect(await repository?.delivered()).toEqual(['.gitattributes', 'kept.txt']);
      await repository?.close();
      await expect(access(join(folder, '.git', 'trapped'))).rejects.toThrow('ENOENT');
    },
  );

  it('looks at a folder of a repository and names what lies beside it', async () => {
    const before = await readGit(folder, null);
    await run('mkdir', ['-p', join(folder, 'web')]);
    await put('web/a.txt', 'x');
    await put('beside.txt', 'x');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'second');
    await put('web/b.txt', 'x');
    const seen = await readGit(join(folder, 'web'), before);
    expect(seen).toMatchObject({ committed: ['../beside.txt', 'a.txt'], untracked: ['b.txt'] });
  });

  it('finds the repository in which the folder lies to which a link leads', async () => {
    await run('mkdir', [join(folder, 'web')]);
    await put('web/a.txt', 'x');
    const elsewhere = await mkdtemp(join(tmpdir(), 'goalkeeper-link-'));
    try {
      await symlink(join(folder, 'web'), join(elsewhere, 'link'));
      expect(await readGit(join(elsewhere, 'link'), null)).toMatchObject({ untracked: ['a.txt'] });
      expect(await readGit(elsewhere, null)).toBeNull();
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('finds a repository without a commit, and none', async () => {
    const empty = join(folder, 'empty');
    await run('git', ['init', '-q', '-b', 'main', empty]);
    expect(await readGit(empty, null)).toMatchObject({ head: null, branch: 'main' });
    await rm(join(folder, '.git'), { recursive: true });
    expect(await readGit(folder, null)).toBeNull();
  });
});
