import { existsSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BasisPort } from '../../../src/contract/basis.ts';
import { keepTree, withKeptTree } from '../../../src/evidence/basis/kept-tree.ts';
import { listTree } from '../../../src/evidence/basis/read.ts';
import { temporaryFolder } from '../../tools/support.ts';
import { project, write } from './support.ts';

const portsIn = (home: string, finished: readonly string[] = []) => ({
  home,
  basis: {
    finishedGoals: async (ids: readonly string[]) => ids.filter((id) => finished.includes(id)),
  } as unknown as BasisPort,
});

describe('the files as they were before the first write', () => {
  test('stay as they were, in place changes or not, beside the dependencies of today', async () => {
    const folder = await project({
      'src/a.js': 'old\n',
      'packages/b/index.js': 'old b\n',
      '.gitignore': 'dist/\n',
      'dist/built.js': 'built\n',
    });
    const home = await temporaryFolder();
    const name = await keepTree(portsIn(home), 'g1', 1, await listTree(folder));
    await write(folder, {
      'src/a.js': 'new\n',
      'src/more.js': 'new\n',
      'packages/b/index.js': 'new b\n',
      'node_modules/dep/index.js': 'dep\n',
      'node_modules/.cache/x': '',
      'go.sum': 'sums\n',
    });
    await symlink('../packages/b', join(folder, 'node_modules/b'));
    const seen = await withKeptTree(home, name ?? '', folder, async (path) => ({
      path,
      a: await readFile(join(path, 'src/a.js'), 'utf8'),
      dep: await readFile(join(path, 'node_modules/dep/index.js'), 'utf8'),
      own: await readFile(join(path, 'node_modules/b/index.js'), 'utf8'),
      sums: await readFile(join(path, 'go.sum'), 'utf8'),
      files: (await readdir(path)).sort(),
      modules: (await readdir(join(path, 'node_modules'))).sort(),
      sources: await readdir(join(path, 'src')),
    }));
    expect(seen).toMatchObject({ a: 'old\n', dep: 'dep\n', own: 'old b\n', sums: 'sums\n' });
    expect(seen?.files).toEqual(['.gitignore', 'go.sum', 'node_modules', 'packages', 'src']);
    expect(seen?.modules).toEqual(['b', 'dep']);
    expect(seen?.sources).toEqual(['a.js']);
    expect(existsSync(seen?.path ?? '')).toBe(false);
    expect(await readFile(join(folder, 'node_modules/dep/index.js'), 'utf8')).toBe('dep\n');
  });

  test('are kept once, and forgotten when their goal has ended', async () => {
    const folder = await project({ 'a.txt': 'first\n' });
    const home = await temporaryFolder();
    const name = await keepTree(portsIn(home), 'g1', 1, await listTree(folder));
    await write(folder, { 'a.txt': 'second\n' });
    expect(await keepTree(portsIn(home), 'g1', 1, await listTree(folder))).toBe(name);
    const text = await withKeptTree(home, name ?? '', folder, (path) =>
      readFile(join(path, 'a.txt'), 'utf8'),
    );
    expect(text).toBe('first\n');
    await keepTree(portsIn(home, ['g1']), 'g2', 1, await listTree(folder));
    expect(await readdir(join(home, 'baselines'))).toEqual(['g2']);
    expect(await withKeptTree(home, name ?? '', folder, async () => 'used')).toBeNull();
  });
});
