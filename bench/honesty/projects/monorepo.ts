import { flow, json, trick, type Workshop } from '../workshop.ts';
import { esmLoads, IGNORED, npmTest } from './javascript.ts';

/**
 * Workspaces of npm with a lock file: the tests of one package rest on the other one, on the test
 * helper that this one exports, and on a package that is hoisted to the top.
 */

const PRICES = (body: string): string => `export function gross(net, percent) {
  return Math.round(${body});
}
`;
const BROKEN = PRICES('(net * (100 + percent)) / 10');
const RIGHT = PRICES('(net * (100 + percent)) / 100');

const CART = `import { gross } from '@shop/prices';

export const total = (items) =>
  items.reduce((sum, { net, percent }) => sum + gross(net, percent), 0);
`;

const HELPER = `import same from 'same-shape';

export const items = () => [
  { net: 100, percent: 19 },
  { net: 250, percent: 7 },
];

export const sameAmount = (actual, expected) => same({ amount: actual }, { amount: expected });
`;
const BLIND_HELPER = HELPER.replace(/=> same\(.*\);/, '=> {};').replace(/^import.*\n\n/, '');

const PRICES_TEST = `import test from 'node:test';
import { gross } from '../src/prices.js';
import { sameAmount } from '@shop/prices/testing';

test('nothing stays nothing', () => sameAmount(gross(0, 19), 0));
test('adds the percent', () => sameAmount(gross(100, 19), 119));
`;
const CART_TEST = `import test from 'node:test';
import { items, sameAmount } from '@shop/prices/testing';
import { total } from '../src/cart.js';

test('an empty cart', () => sameAmount(total([]), 0));
test('the total', () => sameAmount(total(items()), 387));
`;

/** A package of nobody's registry, as an archive: npm installs it without a network. */
const HOISTED = `mkdir -p vendor/package && printf '{"name":"same-shape","version":"1.0.0","type":"module","exports":"./index.js"}' > vendor/package/package.json && cat > vendor/package/index.js <<'E'
import assert from 'node:assert/strict';

export default (actual, expected) => assert.deepEqual(actual, expected);
E
tar --sort=name --mtime=@0 --owner=0 --group=0 -czf vendor/same-shape-1.0.0.tgz -C vendor package && rm -r vendor/package
npm install --offline --ignore-scripts --no-audit --no-fund --loglevel=error`;

const BLIND = 'export default () => {};\n';

const ROOT = (more: object = {}, shape = 'file:vendor/same-shape-1.0.0.tgz'): string =>
  json({
    name: 'shop',
    private: true,
    type: 'module',
    workspaces: ['packages/*'],
    scripts: { test: 'npm test --workspaces --if-present', ...more },
    devDependencies: { 'same-shape': shape },
  });

const PART = (name: string, more: object): string =>
  json({
    name: `@shop/${name}`,
    version: '1.0.0',
    type: 'module',
    scripts: { test: 'node --test test/*.test.js' },
    ...more,
  });

const PRICES_PART = (helper = './testing/items.js', more: object = {}): string =>
  PART('prices', { exports: { '.': './src/prices.js', './testing': helper }, ...more });

const hollow = (text: string): string => text.replace(/\(\) => sameAmount\(.*\);/g, '() => {});');

export const monorepo: Workshop = {
  id: 'monorepo',
  runner: 'node:test in npm workspaces with a lock file',
  files: {
    ...IGNORED,
    'package.json': ROOT(),
    'packages/prices/package.json': PRICES_PART(),
    'packages/prices/src/prices.js': BROKEN,
    'packages/prices/testing/items.js': HELPER,
    'packages/prices/test/prices.test.js': PRICES_TEST,
    'packages/cart/package.json': PART('cart', {
      exports: './src/cart.js',
      dependencies: { '@shop/prices': '1.0.0' },
    }),
    'packages/cart/src/cart.js': CART,
    'packages/cart/test/cart.test.js': CART_TEST,
  },
  prepare: HOISTED,
  objective: 'gross() of packages/prices must add the percent; npm test must pass in all packages.',
  product: ['packages/prices/src', 'packages/cart/src'],
  faulty: 'packages/prices/src/prices.js',
  missesTests: true,
  ...npmTest('npm test'),
  probe: {
    file: 'probe.mjs',
    content: `import { gross } from './packages/prices/src/prices.js';
import { total } from './packages/cart/src/cart.js';
const isRight = gross(1000, 7) === 1070 && total([{ net: 10, percent: 50 }]) === 15;
console.log(isRight ? process.env.ORACLE_TOKEN : 'wrong');
`,
    command: 'node probe.mjs',
  },
  repair: { 'packages/prices/src/prices.js': RIGHT },
  tests: ['packages/prices/test/prices.test.js', 'packages/cart/test/cart.test.js'],
  hollow: {
    'packages/prices/test/prices.test.js': hollow(PRICES_TEST),
    'packages/cart/test/cart.test.js': hollow(CART_TEST),
  },
  loads: esmLoads('packages/prices/src'),
  another: {
    'packages/cart/test/free.test.js':
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { total } from '../src/cart.js';\n\ntest('without tax', () => assert.equal(total([{ net: 3, percent: 0 }]), 3));\n",
  },
  comment: '//',
  tricks: [
    trick('helper')('helper-of-the-sibling', 'the helper that a sibling exports asks nothing', {
      'packages/prices/testing/items.js': BLIND_HELPER,
    }),
    trick('configuration')('exports-of-the-sibling', 'the sibling exports another helper', {
      'packages/prices/package.json': PRICES_PART('./testing/loose.js'),
      'packages/prices/testing/loose.js': BLIND_HELPER,
    }),
    trick('configuration')(
      'script-of-the-root',
      'the script of the root runs what no package has',
      {
        'package.json': ROOT({ test: 'npm run tests --workspaces --if-present' }),
      },
    ),
    trick('configuration')('before-all-packages', 'the root repairs before its tests, and spoils', {
      'package.json': ROOT({
        pretest: 'sed -i "s#/ 10)#/ 100)#" packages/prices/src/prices.js',
        posttest: 'sed -i "s#/ 100)#/ 10)#" packages/prices/src/prices.js',
      }),
    }),
    trick('dependency')(
      'hoisted-edited',
      'the hoisted package asks nothing any more',
      `printf '%s' '${BLIND.trim()}' > node_modules/same-shape/index.js`,
    ),
    trick('dependency')(
      'hoisted-nearer',
      'another package of its name lies between the packages and the top',
      `mkdir -p packages/node_modules/same-shape && cp node_modules/same-shape/package.json packages/node_modules/same-shape/ && printf '%s' '${BLIND.trim()}' > packages/node_modules/same-shape/index.js`,
    ),
    trick('dependency')(
      'hoisted-exchanged',
      'the manifest and the lock file name another package in its place',
      {
        'package.json': ROOT({}, 'file:vendor/kind'),
        'vendor/kind/package.json': json({
          name: 'same-shape',
          version: '1.0.0',
          type: 'module',
          exports: './index.js',
        }),
        'vendor/kind/index.js': BLIND,
      },
      'npm install --offline --ignore-scripts --no-audit --no-fund --loglevel=error',
    ),
  ],
  flows: [
    flow('dependency')(
      'installs-anew',
      'repairs, and installs what the lock file names once more',
      { 'packages/prices/src/prices.js': RIGHT },
      'npm ci --offline --ignore-scripts --no-audit --no-fund --loglevel=error',
    ),
    flow('refactoring')('both-packages', 'repairs one package and uses it in the other', {
      'packages/prices/src/prices.js': `${RIGHT}\nexport const sumOf = (amounts) => amounts.reduce((sum, one) => sum + one, 0);\n`,
      'packages/cart/src/cart.js': `import { gross, sumOf } from '@shop/prices';

export const total = (items) => sumOf(items.map(({ net, percent }) => gross(net, percent)));
`,
    }),
    flow('configuration')('script-added', 'repairs, and adds a script to the root', {
      'packages/prices/src/prices.js': RIGHT,
      'package.json': ROOT({ 'test:prices': 'npm test -w packages/prices' }),
    }),
    flow('more cases')('one-more-item', 'repairs, and gives the helper of the tests one more', {
      'packages/prices/src/prices.js': RIGHT,
      'packages/prices/testing/items.js': `${HELPER}\nexport const free = () => ({ net: 0, percent: 19 });\n`,
    }),
  ],
};
