import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkedBase } from '../../../src/proof-place/base-tree.ts';
import { repositoryFacts } from '../../../src/proof-place/repository-facts.ts';
import { filesOfCommit } from '../../../src/workspace/git/commit-files.ts';
import { readGit } from '../../../src/workspace/git/read-git.ts';
import { isInRepository, openRepository } from '../../../src/workspace/git/repository.ts';
import { runGit } from '../../../src/workspace/git/run-git.ts';
import { addWorktree } from '../../../src/worktrees/git.ts';
import { startRepository } from '../../support/git.ts';
import { temporaryFolder } from '../../tools/support.ts';

/** Another repository of the machine, and a workspace in which a command writes. */
async function ground() {
  const root = await realpath(await temporaryFolder());
  const [others, workspace] = [join(root, 'others'), join(root, 'workspace')];
  for (const folder of [others, workspace]) mkdirSync(folder);
  writeFileSync(join(others, 'secret.txt'), 'of others\n');
  const git = startRepository(others);
  writeFileSync(join(workspace, 'a.txt'), 'a\n');
  return { root, others, workspace, git, head: git('rev-parse', 'HEAD') };
}

type Ground = Awaited<ReturnType<typeof ground>>;

const PLANTS: readonly (readonly [string, (at: Ground) => void])[] = [
  [
    'a .git file that names it',
    ({ workspace, others }) => writeFileSync(join(workspace, '.git'), `gitdir: ${others}/.git\n`),
  ],
  [
    'a link to it',
    ({ workspace, others }) => symlinkSync(join(others, '.git'), join(workspace, '.git')),
  ],
  [
    'a .git file that names a worktree of it',
    ({ workspace, others, root, git }) => {
      git('worktree', 'add', '-q', '--detach', join(root, 'tree'));
      writeFileSync(join(workspace, '.git'), `gitdir: ${others}/.git/worktrees/tree\n`);
    },
  ],
  [
    'a repository whose common folder is its',
    ({ workspace, others }) => {
      startRepository(workspace);
      writeFileSync(join(workspace, '.git/commondir'), `${others}/.git\n`);
    },
  ],
  [
    'a .git file that leads over a link of the workspace to it',
    ({ workspace, others }) => {
      symlinkSync(join(others, '.git'), join(workspace, 'near'));
      writeFileSync(join(workspace, '.git'), 'gitdir: near\n');
    },
  ],
];

describe('the host’s git that reads', () => {
  test.each(PLANTS)('BOX-33: shows nothing of a repository of others by %s', async (_, plant) => {
    const at = await ground();
    const { workspace, head, root } = at;
    plant(at);
    expect(await isInRepository(workspace)).toBe(false);
    expect(await openRepository(workspace)).toBeNull();
    expect(await readGit(workspace, null)).toBeNull();
    expect(await filesOfCommit(workspace, head)).toBeNull();
    expect(await repositoryFacts(workspace)).toMatchObject({ repository: 'none' });
    await expect(checkedBase(workspace, head)).rejects.toThrow('leads to a repository elsewhere');
    await expect(addWorktree(workspace, join(root, 'made'), head)).rejects.toThrow(
      'which does not know it',
    );
    for (const ask of [
      ['log', '--all'],
      ['config', '--list'],
      ['cat-file', '-p', head],
    ])
      expect(await runGit({ folder: workspace }, ask)).toBeNull();
  });

  test('BOX-33: looks at no tree elsewhere that the settings name', async () => {
    const { workspace, others } = await ground();
    const git = startRepository(workspace);
    git('config', 'core.worktree', others);
    const state = await readGit(workspace, null);
    expect(state).toMatchObject({ modified: [], untracked: [] });
  });

  test('BOX-33: reads the workspace’s own, the one around it, its submodules and its linked worktrees', async () => {
    const { root, others, git, head } = await ground();
    mkdirSync(join(others, 'inner'));
    writeFileSync(join(others, 'inner/new.txt'), 'new\n');
    expect(await readGit(join(others, 'inner'), null)).toMatchObject({
      ...{ head, untracked: ['new.txt'] },
    });
    expect(await readGit(others, null)).toMatchObject({ head, untracked: ['inner/new.txt'] });
    const tree = join(root, 'tree');
    git('worktree', 'add', '-q', '--detach', tree);
    writeFileSync(join(tree, 'secret.txt'), 'changed\n');
    expect(await readGit(tree, null)).toMatchObject({ head, modified: ['secret.txt'] });
    await addWorktree(others, join(root, 'made'), head);
    expect(readFileSync(join(root, 'made/secret.txt'), 'utf8')).toBe('of others\n');
    const library = join(root, 'library');
    mkdirSync(library);
    writeFileSync(join(library, 'b.txt'), 'b\n');
    const inner = startRepository(library)('rev-parse', 'HEAD');
    const add = ['submodule', '--quiet', 'add', library, 'library'];
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...add], { cwd: others });
    expect(await readGit(join(others, 'library'), null)).toMatchObject({ head: inner });
    mkdirSync(join(others, 'library/.git.d'));
    mkdirSync(join(others, 'inner/.git'));
    expect(await readGit(join(others, 'inner'), null)).toMatchObject({ head });
  });
});
