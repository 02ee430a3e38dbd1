import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PathRefused, resolveForWrite, resolveInside } from '../../src/workspace/paths.ts';
import { temporaryFolder } from '../tools/support.ts';

async function tree() {
  const base = await temporaryFolder();
  const root = join(base, 'work');
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(base, 'outside.txt'), 'x');
  await writeFile(join(root, 'src/a.ts'), 'x');
  await symlink(base, join(root, 'up'));
  await symlink('src', join(root, 'alias'));
  await symlink('/nowhere/at/all', join(root, 'dangling'));
  await symlink(root, join(base, 'known-as'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  return { base, root };
}

test('paths inside are resolved, also through links and for files that are not there yet', async () => {
  const { base, root } = await tree();
  const found = async (path: string) => (await resolveInside(root, path)).relative;
  expect(await found('src/../src/a.ts')).toBe('src/a.ts');
  expect(await found('alias/new/deep.ts')).toBe('src/new/deep.ts');
  expect(await found(join(root, 'src'))).toBe('src');
  expect(await found('.')).toBe('.');
  const known = await resolveInside(join(base, 'known-as'), join(base, 'known-as/src/a.ts'));
  expect(known).toEqual({
    absolute: join(root, 'src/a.ts'),
    relative: 'src/a.ts',
    kind: 'file',
    bytes: 1,
  });
});

test.each([
  '../outside.txt',
  '..',
  '/etc/passwd',
  'up/outside.txt',
  'up/new.txt',
  'dangling',
  'dangling/x',
  'pipe',
  'src/a.ts/x',
  'a\0b',
  'src/../../outside.txt',
  '/dev/null',
  'x'.repeat(300),
])('%j is refused', async (path) => {
  const { root } = await tree();
  await expect(resolveInside(root, path)).rejects.toThrow(PathRefused);
});

test.each(['.git/config', 'sub/.GIT/hooks/x', '.git', '.goalkeeper-workspace', 'src', '.'])(
  'writing to %j is refused',
  async (path) => {
    const { root } = await tree();
    await expect(resolveForWrite(root, path)).rejects.toThrow(PathRefused);
  },
);

test('names that only look like git are fine', async () => {
  const { root } = await tree();
  expect((await resolveForWrite(root, '.github/x.yml')).relative).toBe('.github/x.yml');
  expect((await resolveForWrite(root, '.gitignore')).relative).toBe('.gitignore');
});
