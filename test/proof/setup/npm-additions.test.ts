import { expect, test } from 'vitest';
import { npmAdditions } from '../../../src/proof/setup/managers/npm-additions.ts';

type Fields = Record<string, unknown>;

const REGISTRY = 'https://registry.npmjs.org';
const integrity = `sha512-${'a'.repeat(86)}==`;
const entryOf = (name: string, own: Fields = {}): Fields => ({
  version: '1.0.0',
  resolved: `${REGISTRY}/${name}/-/${name.replace(/^@.*\//, '')}-1.0.0.tgz`,
  integrity,
  ...own,
});

interface Given {
  /** Fields of package.json. */
  readonly manifest?: Fields;
  /** Entries of the lock file beside what was there. */
  readonly entries?: Record<string, Fields>;
  /** Further fields of the lock file. */
  readonly lock?: Fields;
  /** Dependencies beside what was there. */
  readonly dependencies?: Record<string, string>;
  readonly members?: Record<string, Fields>;
}

const chai = entryOf('chai', { dev: true });
const vitest = entryOf('vitest', {
  bin: { vitest: 'vitest.mjs' },
  peerDependencies: { jsdom: '*' },
  peerDependenciesMeta: { jsdom: { optional: true } },
});

function inputs({ manifest, entries, lock, dependencies = {}, members = {} }: Given = {}) {
  const own = { name: 'shop', dependencies, devDependencies: { chai: '1.0.0', vitest: '1.0.0' } };
  const root = { ...own, scripts: { test: 'vitest' }, ...manifest };
  const packages = {
    '': own,
    'packages/a': { version: '1.0.0' },
    'node_modules/chai': chai,
    'node_modules/vitest': vitest,
    ...entries,
  };
  return {
    lock: JSON.stringify({ name: 'shop', lockfileVersion: 3, requires: true, packages, ...lock }),
    manifests: new Map([
      ['package.json', JSON.stringify(root)],
      ['packages/a/package.json', JSON.stringify({ version: '1.0.0' })],
      ...Object.entries(members).map(([path, text]): [string, string] => [
        path,
        JSON.stringify(text),
      ]),
    ]),
  };
}

const taken = {
  isProgram: (name: string) => name === 'node',
  isOwn: (name: string) => name === 'support',
};
const judge = (given: Given) => npmAdditions(inputs(), inputs(given), taken);

test('SET-9 packages of a registry may be added, and what these need', () => {
  const added = judge({
    dependencies: { plus: '^1.0.0', '@math/minus': '1.x || >=2' },
    entries: {
      'node_modules/plus': entryOf('plus', { dependencies: { one: '1' }, bin: 'plus.js' }),
      'node_modules/@math/minus': entryOf('@math/minus', { resolved: undefined }),
      'node_modules/one': entryOf('one'),
      'node_modules/plus/node_modules/chai': entryOf('chai', { version: '2.0.0' }),
      // A mark that moves says nothing about what is installed.
      'node_modules/chai': { ...chai, dev: undefined },
    },
  });
  expect(added).toEqual({
    added: ['plus', '@math/minus', 'one', 'chai'].map((name) => ({
      name,
      version: name === 'chai' ? '2.0.0' : '1.0.0',
    })),
  });
});

const plus = { dependencies: { plus: '1.0.0' } };
const withPlus = (own: Fields, at = 'node_modules/plus'): Given => ({
  ...plus,
  entries: { [at]: entryOf('plus', own) },
});

const tricks: readonly [string, Given, string][] = [
  ['a script', { manifest: { scripts: { test: 'true' } } }, 'other changes'],
  [
    'a lifecycle script',
    { manifest: { scripts: { test: 'vitest', prepare: 'x' } } },
    'other changes',
  ],
  ['overrides', { ...plus, manifest: { overrides: { chai: 'npm:plus@1' } } }, 'other changes'],
  ['a folder', { dependencies: { plus: 'file:stubs/plus' } }, 'from file:stubs/plus'],
  ['a link', { dependencies: { plus: 'link:stubs/plus' } }, 'from link:'],
  ['a repository', { dependencies: { plus: 'git+https://host/plus.git' } }, 'from git+https:'],
  ['a short repository', { dependencies: { plus: 'owner/plus' } }, 'from owner/plus'],
  ['an address', { dependencies: { plus: 'https://host/plus.tgz' } }, 'from https:'],
  ['an alias', { dependencies: { plus: 'npm:chai@2' } }, 'from npm:chai@2'],
  [
    'another version of what was there',
    { manifest: { devDependencies: { chai: '2.0.0', vitest: '1.0.0' } } },
    'other changes',
  ],
  [
    'what was there as another kind of dependency',
    { dependencies: { chai: '2.0.0' } },
    'moves chai',
  ],
  ['a new member of the workspace', { members: { 'packages/b/package.json': {} } }, 'came or went'],
  [
    'a changed integrity',
    { entries: { 'node_modules/chai': { ...chai, integrity: `sha512-${'b'.repeat(86)}==` } } },
    'chai changed',
  ],
  [
    'a changed address',
    {
      entries: {
        'node_modules/chai': entryOf('chai', { resolved: `${REGISTRY}/plus/-/plus-1.0.0.tgz` }),
      },
    },
    'chai changed',
  ],
  [
    'a link instead of a package',
    { entries: { 'node_modules/chai': { resolved: 'stubs/chai', link: true } } },
    'chai changed',
  ],
  ['a new link', withPlus({ link: true, resolved: 'stubs/plus' }), 'has link'],
  ['no integrity', withPlus({ integrity: undefined }), 'has no integrity'],
  ['a weak integrity', withPlus({ integrity: 'sha1-abc=' }), 'has no integrity'],
  [
    'another host',
    withPlus({ resolved: 'https://evil.example/plus/-/plus-1.0.0.tgz' }),
    'comes from',
  ],
  [
    'a folder of a registry that is none',
    withPlus({ resolved: `${REGISTRY}/x/plus/-/plus-1.0.0.tgz` }),
    'comes from',
  ],
  [
    'an archive of another package',
    withPlus({ resolved: `${REGISTRY}/chai/-/chai-1.0.0.tgz` }),
    'comes from',
  ],
  ['a file', withPlus({ resolved: 'file:plus.tgz' }), 'comes from'],
  ['another package under the name', withPlus({ name: 'evil' }), 'has name'],
  [
    'a place inside of a package that was there',
    withPlus({}, 'node_modules/vitest/node_modules/plus'),
    'takes a place in',
  ],
  ['a place inside of a member', withPlus({}, 'packages/a/node_modules/chai'), 'takes a place in'],
  ['a place out of the workspace', withPlus({}, '../node_modules/chai'), 'takes a place in'],
  ['a name that leads elsewhere', withPlus({}, 'node_modules/../src'), 'no installed package'],
  ['a program that was there', withPlus({ bin: { vitest: 'x.js' } }), 'the program vitest'],
  ['a program on PATH', withPlus({ bin: { node: 'x.js' } }), 'the program node'],
  [
    'a place in a folder of a package that was there',
    withPlus({}, 'node_modules/chai/lib/node_modules/plus'),
    'takes a place in',
  ],
  ['programs without names', withPlus({ bin: ['x/node'] }), 'without a name'],
  ['a program out of its folder', withPlus({ bin: { '../node': 'x.js' } }), 'the program ../node'],
  [
    'a name of the project',
    { dependencies: { support: '1' }, entries: { 'node_modules/support': entryOf('support') } },
    'a name of the project',
  ],
  ['a lock file inside', withPlus({ hasShrinkwrap: true }), 'has hasShrinkwrap'],
  [
    'what lies in another archive',
    withPlus({ inBundle: true, integrity: undefined }),
    'has inBundle',
  ],
  ['a folder of programs', withPlus({ directories: { bin: 'x' } }), 'has directories'],
  [
    'what a package looks for',
    { dependencies: { jsdom: '1' }, entries: { 'node_modules/jsdom': entryOf('jsdom') } },
    'looked for',
  ],
  ['another kind of lock file', { lock: { lockfileVersion: 1 } }, 'another kind'],
  ['another head of the lock file', { lock: { requires: false } }, 'head'],
];

test.each(tricks)('SET-10 %s is no addition', (_, given, why) => {
  expect(judge(given)).toEqual({ why: expect.stringContaining(why) });
});

test('SET-10 what is gone, or can not be read, is no addition', () => {
  const before = inputs({ entries: { 'node_modules/plus': entryOf('plus') } });
  expect(npmAdditions(before, inputs(), taken)).toEqual({ why: 'node_modules/plus is gone' });
  const broken = { ...inputs(), lock: '{' };
  expect(npmAdditions(inputs(), broken, taken)).toEqual({
    why: expect.stringContaining('read'),
  });
});
