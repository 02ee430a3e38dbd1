import { expect, test } from 'vitest';
import { askedPackages } from '../../../src/proof/setup/asked-packages.ts';
import { npm } from '../../../src/proof/setup/managers/npm.ts';

type Fields = Record<string, unknown>;

const entry = (name: string, own: Fields = {}): [string, Fields] => [
  `node_modules/${name}`,
  { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==`, ...own },
];

interface Given {
  /** Fields of the manifest, which the lock file repeats as far as npm does. */
  readonly own?: Fields;
  readonly scripts?: Fields;
  readonly packages?: readonly [string, Fields][];
}

function inputs({ own = {}, scripts = {}, packages = [] }: Given = {}) {
  const root = { name: 'shop', version: '1.0.0', dependencies: { chai: '1.0.0' }, ...own };
  const { version } = root;
  const lock = {
    ...{ name: 'shop', version, lockfileVersion: 3, requires: true },
    packages: Object.fromEntries([['', root], entry('chai'), ...packages]),
  };
  return {
    lock: JSON.stringify(lock),
    manifests: new Map([['package.json', JSON.stringify({ ...root, scripts })]]),
  };
}

const names = { isProgram: () => false, isOwn: () => false };

function asked(now: Given) {
  if (npm.additions === undefined) throw new Error('npm adds no packages');
  return askedPackages(npm.additions, inputs(), inputs(now), 'package-lock.json', names);
}

const plus = { dependencies: { chai: '1.0.0', plus: '1.0.0' } };
const added = [{ name: 'plus', version: '1.0.0' }];

test('PRF-21 a manifest whose scripts, entries and version change asks for the same packages', () => {
  const own = { version: '1.1.0', exports: { '.': './src/index.js' }, license: 'MIT' };
  expect(asked({ own, scripts: { test: 'vitest' } })).toEqual({ added: [], isPlain: false });
});

test('PRF-22 a manifest that adds a package and changes a script asks for no more than that package', () => {
  expect(asked({ own: plus, packages: [entry('plus')] })).toEqual({ added, isPlain: true });
  const both = { own: plus, scripts: { test: 'true' }, packages: [entry('plus')] };
  expect(asked(both)).toEqual({ added, isPlain: false });
});

test('PRF-21 a new package of the workspace asks for none of those that were there', () => {
  const link = { resolved: 'packages/web', link: true };
  const packages: [string, Fields][] = [
    ['packages/web', { name: '@shop/web', version: '1.0.0' }],
    ['node_modules/@shop/web', link],
  ];
  expect(asked({ packages })).toEqual({ added: [], isPlain: false });
  expect(asked({ packages: [['node_modules/chai', link], ...packages] })).toBeNull();
});

test.each<[string, Given]>([
  ['another version', { own: { dependencies: { chai: '2.0.0' } } }],
  ['one package less', { own: { dependencies: {} } }],
  ['a package from an address', { own: { dependencies: { chai: '1.0.0', x: 'file:x' } } }],
  ['a package in place of another', { own: { overrides: { chai: '2.0.0' } } }],
  ['a program of its own', { own: { bin: { vitest: 'own.js' } } }],
  ['a changed package in the lock file', { packages: [entry('chai', { version: '2.0.0' })] }],
])('PRF-23 a manifest that asks for %s asks for others', (_, now) => {
  expect(asked(now)).toBeNull();
});
