import { expect, test } from 'vitest';
import { detectSetups } from '../../../src/proof/setup/detect-setups.ts';

test('SET-22 npm installs from the archives that its lock file names, of the project alone', async () => {
  const packages = {
    '': { workspaces: ['packages/*'] },
    'packages/a': {},
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/near': { resolved: 'file:vendor/near-1.0.0.tgz' },
    'node_modules/out': { resolved: 'file:../../etc/out.tgz' },
    'node_modules/far': { resolved: 'https://registry.npmjs.org/far/-/far-1.0.0.tgz' },
  };
  const files = new Map([
    ['web/package.json', '{}'],
    ['web/package-lock.json', JSON.stringify({ lockfileVersion: 3, packages })],
    ['web/packages/a/package.json', '{}'],
    ['web/vendor/near-1.0.0.tgz', ''],
    ['web/vendor/other-1.0.0.tgz', ''],
  ]);
  const read = async (path: string) => files.get(path) ?? null;
  const { setups } = await detectSetups({ paths: files.keys(), read, commands: [] });
  expect(setups.map(({ inputs }) => inputs)).toEqual([
    [
      'web/package-lock.json',
      'web/package.json',
      'web/packages/a/package.json',
      'web/vendor/near-1.0.0.tgz',
    ],
  ]);
});
