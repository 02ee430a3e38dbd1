import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { provenCommit } from '../../src/forge/proven-commit.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';

const WORK = 'two\n';

/** A repository with a submodule that is checked out, and the work beside it. */
async function openRepository() {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'one\n');
  const git = startRepository(folder);
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/s.txt'), 's\n');
  const pinned = startRepository(join(folder, 'sub'))('rev-parse', 'HEAD');
  git('update-index', '--add', '--cacheinfo', `160000,${pinned},sub`);
  git('commit', '-q', '-m', 'sub');
  await writeFile(join(folder, 'b.txt'), WORK);
  return { folder, git, base: git('rev-parse', 'HEAD') };
}

/** As the host proves it: the files that lie there, those of submodules among them. */
async function treeOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return startRepository(folder)('rev-parse', 'HEAD^{tree}');
}

const loose = (folder: string, path: string) => ({
  path,
  mode: '100644' as const,
  object: gitIn(folder)('hash-object', path),
});

const sha256 = createHash('sha256').update(WORK).digest('hex');
const commitOf = async (
  { folder, base }: { readonly folder: string; readonly base: string },
  tree: string,
  files: readonly object[],
  work = 'b.txt',
) =>
  await provenCommit(
    { folder, scratch: await temporaryFolder(), environment: WHO },
    {
      base: { commit: base, files, gone: [], unkept: [] },
      proof: { tree, files: [{ path: work, sha256, mode: '100644' }] },
      goal: { completedAt: '2026-11-29T00:00:00Z' },
    } as unknown as GoalProofPredicate,
    'Work',
  );
const WHO = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a' },
  ...{ GIT_COMMITTER_EMAIL: 'a@b' },
};

test('CON-135 a commit of the proven tree keeps the submodules of its base, whether the proof had their files or none', async () => {
  const at = await openRepository();
  const none = await treeOf({ 'a.txt': 'one\n', 'b.txt': WORK });
  const first = await commitOf(at, none, []);
  const had = await treeOf({ 'a.txt': 'one\n', 'b.txt': WORK, 'sub/s.txt': 's\n' });
  expect(await commitOf(at, had, [loose(at.folder, 'sub/s.txt')])).toBe(first);
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  await expect(commitOf(at, had, [])).rejects.toThrow('is not the proven tree');
});

test('CON-140 a repository of SHA-256 is refused by that, and not by its files', async () => {
  const at = { folder: await temporaryFolder(), base: 'a'.repeat(64) };
  await expect(commitOf(at, 'b'.repeat(40), [])).rejects.toThrow('by SHA-256');
});

test('CON-136 files of a submodule that its commit does not have are refused, with a way out that works', async () => {
  const at = await openRepository();
  await writeFile(join(at.folder, 'sub/s.txt'), 'edited\n');
  const tree = await treeOf({ 'a.txt': 'one\n', 'b.txt': WORK, 'sub/s.txt': 'edited\n' });
  await expect(commitOf(at, tree, [loose(at.folder, 'sub/s.txt')])).rejects.toMatchObject({
    message: expect.stringContaining('other files of the submodule sub'),
    wayOut: expect.stringContaining('without the files of submodules'),
  });
  await writeFile(join(at.folder, 'sub/b.txt'), WORK);
  await expect(commitOf(at, tree, [], 'sub/b.txt')).rejects.toThrow(
    'A submodule holds files of the work: sub/b.txt',
  );
});
