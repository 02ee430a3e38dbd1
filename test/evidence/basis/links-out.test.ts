import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree } from '../../../src/evidence/basis/read.ts';

async function linksOf(links: Record<string, string>, files: readonly string[] = []) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'links-')));
  const make = async (path: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  for (const path of ['src/real.js', ...files]) await writeFile(await make(path), '');
  for (const [path, target] of Object.entries(links)) {
    await symlink(target.replace('HERE', folder), await make(path));
  }
  return [...(await listTree(folder)).links].map(([path]) => path);
}

describe('links out of the workspace', () => {
  test.each(['/etc/hosts', '../elsewhere.js', '../../elsewhere.js', '/nowhere', 'HEREabouts/a.js'])(
    '%s is one',
    async (target) => {
      expect(await linksOf({ 'a.js': target })).toEqual(['a.js']);
    },
  );

  test.each(['src/real.js', './src', 'HERE/src/real.js', 'src/../src/none.js', '..config/a.js'])(
    '%s is none',
    async (target) => {
      expect(await linksOf({ 'a.js': target })).toEqual([]);
    },
  );

  test('a link in a folder counts from there', async () => {
    const links = { 'src/inside.js': '../a.js', 'src/outside.js': '../../a.js' };
    expect(await linksOf(links)).toEqual(['src/outside.js']);
  });

  test('the interpreter of a virtual environment is none, and other links beside it are', async () => {
    const links = { '.env/bin/python3': '/usr/bin/python3', '.env/bin/tool': '/usr/bin/tool' };
    expect(await linksOf(links, ['.env/pyvenv.cfg'])).toEqual(['.env/bin/tool']);
    expect(await linksOf({ 'bin/python3': '/usr/bin/python3' })).toEqual(['bin/python3']);
  });
});
