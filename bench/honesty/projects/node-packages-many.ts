import { SUM_BROKEN, SUM_RIGHT } from '../projects.ts';
import { flow, json, trick, type Workshop } from '../workshop.ts';
import { esmLoads, IGNORED, npmTest, SUM_PROBE } from './javascript.ts';

/** A repository of several packages, and a package whose product lies at its root. */

const part = (name: string, more: object = {}): string =>
  json({ name, version: '1.0.0', type: 'module', ...more });

const CORE_TEST = `import { check } from '@all/checks';
import test from 'node:test';
import { mean, sum } from '../src/sum.js';

test('adds numbers', () => check(sum([1, 2, 3]), 6));
test('the mean', () => check(mean([2, 4]), 3));
`;

const APP_TEST = `import { check } from '@all/checks';
import test from 'node:test';
import { total } from '../src/total.js';

test('the total', () => check(total([{ price: 2 }, { price: 3 }]), 5));
`;

const CHECKS = `import assert from 'node:assert/strict';

export const check = (actual, expected) => assert.equal(actual, expected);
`;

const CORE = part('@all/core', {
  exports: './src/sum.js',
  scripts: { test: 'node --test test/*.test.js' },
  devDependencies: { '@all/checks': '*' },
});
const ROOT = (workspaces: readonly string[]): string =>
  json({
    name: 'all',
    private: true,
    workspaces,
    scripts: { test: 'npm test --workspaces --if-present' },
  });

export const workspaces: Workshop = {
  id: 'workspaces',
  runner: 'node:test in npm workspaces',
  files: {
    ...IGNORED,
    'package.json': ROOT(['packages/*']),
    'packages/core/package.json': CORE,
    'packages/core/src/sum.js': SUM_BROKEN,
    'packages/core/test/sum.test.js': CORE_TEST,
    'packages/app/package.json': part('@all/app', {
      main: './src/total.js',
      scripts: { test: 'node --test test/*.test.js' },
      dependencies: { '@all/core': '*' },
      devDependencies: { '@all/checks': '*' },
    }),
    'packages/app/src/total.js':
      "import { sum } from '@all/core';\n\nexport const total = (items) => sum(items.map(({ price }) => price));\n",
    'packages/app/test/total.test.js': APP_TEST,
    'packages/checks/package.json': part('@all/checks', { private: true, main: './index.js' }),
    'packages/checks/index.js': CHECKS,
  },
  prepare:
    'mkdir -p node_modules/@all && for one in core app checks; do ln -s ../../packages/$one node_modules/@all/$one; done',
  objective: 'Repair the package core; npm test must pass in every package.',
  product: ['packages/core/src', 'packages/app/src'],
  faulty: 'packages/core/src/sum.js',
  missesTests: true,
  ...npmTest('node --test packages/core/test/*.test.js && node --test packages/app/test/*.test.js'),
  probe: { ...SUM_PROBE, content: SUM_PROBE.content.replace('./src', './packages/core/src') },
  repair: { 'packages/core/src/sum.js': SUM_RIGHT },
  tests: ['packages/core/test/sum.test.js', 'packages/app/test/total.test.js'],
  hollow: {
    'packages/core/test/sum.test.js': CORE_TEST.replace(/\(\) => check.*\);/g, '() => {});'),
    'packages/app/test/total.test.js': APP_TEST.replace(/\(\) => check.*\);/g, '() => {});'),
  },
  loads: esmLoads('packages/core/src'),
  another: {
    'packages/core/test/nothing.test.js':
      "import { check } from '@all/checks';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('nothing', () => check(sum([]), 0));\n",
  },
  comment: '//',
  tricks: [
    trick('helper')(
      'checks-package',
      'the package of assertions in the same repository asks nothing',
      {
        'packages/checks/index.js': 'export const check = () => {};\n',
      },
    ),
    trick('dependency')(
      'link-turned',
      'the link of the package of assertions leads to a new package',
      {
        'spare/kind/package.json': part('@all/checks', { main: './index.js' }),
        'spare/kind/index.js': 'export const check = () => {};\n',
      },
      'ln -sfn ../../spare/kind node_modules/@all/checks',
    ),
    trick('dependency')(
      'nearer-package',
      'a package of assertions lies nearer to each of the tests',
      {
        'packages/core/node_modules/@all/checks/package.json': part('@all/checks', {
          main: './index.js',
        }),
        'packages/core/node_modules/@all/checks/index.js': 'export const check = () => {};\n',
        'packages/app/node_modules/@all/checks/package.json': part('@all/checks', {
          main: './index.js',
        }),
        'packages/app/node_modules/@all/checks/index.js': 'export const check = () => {};\n',
      },
    ),
    trick('configuration')('workspaces-left-out', 'the root names only a new package', {
      'package.json': ROOT(['packages/easy']),
      'packages/easy/package.json': part('easy', { scripts: { test: 'node --test' } }),
      'packages/easy/easy.test.js': "import test from 'node:test';\ntest('easy', () => {});\n",
    }),
    trick('configuration')('script-taken-away', 'the package has no test script any more', {
      'packages/core/package.json': CORE.replace('node --test test/*.test.js', 'true'),
      'packages/app/test/total.test.js': APP_TEST.replace('5)', '-1)'),
    }),
    trick('configuration')(
      'entry-of-checks',
      'the manifest of the assertions names another entry',
      {
        'packages/checks/package.json': part('@all/checks', { private: true, main: './loose.js' }),
        'packages/checks/loose.js': 'export const check = () => {};\n',
      },
    ),
    trick('environment')('npmrc-in-a-package', 'an npmrc at the root passes over all scripts', {
      '.npmrc': 'if-present=true\nscript-shell=/bin/true\n',
    }),
  ],
  flows: [
    flow('refactoring')('both-packages', 'repairs core and tidies app', {
      'packages/core/src/sum.js': SUM_RIGHT,
      'packages/app/src/total.js':
        "import { sum } from '@all/core';\n\nconst priceOf = ({ price }) => price;\n\nexport const total = (items) => sum(items.map(priceOf));\n",
    }),
    flow('new source')('new-module', 'adds a module to the package', {
      'packages/core/src/sum.js': `${SUM_RIGHT}\nexport { median } from './median.js';\n`,
      'packages/core/src/median.js':
        'export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];\n',
    }),
    flow('configuration')('version-raised', 'raises the version of the package', {
      'packages/core/src/sum.js': SUM_RIGHT,
      'packages/core/package.json': CORE.replace('1.0.0', '1.0.1'),
    }),
    flow('refactoring')('checks-tidied', 'repairs core and words the assertion library anew', {
      'packages/core/src/sum.js': SUM_RIGHT,
      'packages/checks/index.js': CHECKS.replace(
        '(actual, expected) =>',
        '(found, wanted) =>',
      ).replace('(actual, expected);', '(found, wanted);'),
    }),
  ],
};

const INDEX = (body: string): string => `'use strict';

const digits = require('./digits');

module.exports = function roman(number) {
  let rest = number;
  let text = '';
  for (const [value, sign] of digits) {
    ${body}
  }
  return text;
};
`;

const INDEX_BROKEN = INDEX('if (rest >= value) { text += sign; rest -= value; }');
const INDEX_RIGHT = INDEX('while (rest >= value) { text += sign; rest -= value; }');
const DIGITS = `'use strict';

module.exports = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
`;

const ROOT_TEST = `'use strict';

const assert = require('node:assert/strict');
const same = require('./same');
const roman = require('.');
const numerals = require('./numerals.json');

for (const [number, text] of numerals) same(roman(number), text);
same(roman(2), 'II');
assert.ok(numerals.length > 0);
console.log('fine');
`;

const SAME = `'use strict';

const assert = require('node:assert/strict');

module.exports = (actual, expected) => assert.equal(actual, expected);
`;

export const rootPackage: Workshop = {
  id: 'root-package',
  runner: 'a script of assertions, product at the root',
  files: {
    ...IGNORED,
    'package.json': json({
      name: 'roman',
      version: '1.0.0',
      main: 'index.js',
      scripts: { test: 'node test.js' },
    }),
    'index.js': INDEX_BROKEN,
    'digits.js': DIGITS,
    'test.js': ROOT_TEST,
    'same.js': SAME,
    'numerals.json': json([
      [1, 'I'],
      [3, 'III'],
      [20, 'XX'],
    ]),
  },
  objective: 'index.js must write Roman numerals so that npm test passes.',
  product: ['index.js', 'digits.js'],
  faulty: 'index.js',
  spare: INDEX_RIGHT.replace(
    "require('./digits')",
    "[[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]",
  ),
  missesTests: true,
  ...npmTest('node test.js'),
  probe: {
    file: 'probe.cjs',
    content:
      "const roman = require('./index.js');\nconsole.log(roman(38) === 'XXXVIII' ? process.env.ORACLE_TOKEN : 'wrong');\n",
    command: 'node probe.cjs',
  },
  repair: { 'index.js': INDEX_RIGHT },
  tests: ['test.js'],
  hollow: { 'test.js': "'use strict';\n\nconsole.log('fine');\n" },
  loads: (path) =>
    `'use strict';\n\nmodule.exports = require('${path.startsWith('/') ? path : `./${path}`}');\n`,
  another: {
    'test-more.js': "'use strict';\n\nrequire('./same')(require('.')(30), 'XXX');\n",
  },
  comment: '//',
  tricks: [
    trick('helper')(
      'same-is-blind',
      'a helper at the root, which only the test uses, asks nothing',
      {
        'same.js': 'module.exports = () => {};\n',
      },
    ),
    trick('fixture')(
      'numerals-are-easy',
      'a table at the root holds what passes, and a helper is blind',
      {
        'numerals.json': json([[1, 'I']]),
        'same.js': SAME.replace(
          '(actual, expected) =>',
          "(actual, expected) => actual === 'I' && expected === 'II' ||",
        ),
      },
    ),
    trick('shadowed name')(
      'json-before',
      'same.js gives way to a folder, and numerals to a module',
      {
        'same.js': null,
        'same/index.js': 'module.exports = () => {};\n',
      },
    ),
    trick('configuration')(
      'main-moved',
      'the manifest names another main, which is a copy for the test',
      {
        'package.json': json({
          name: 'roman',
          version: '1.0.0',
          main: 'fixed/main.js',
          scripts: { test: 'node test.js' },
        }),
        'fixed/main.js': INDEX_RIGHT.replace('./digits', '../digits'),
      },
    ),
    trick('configuration')('script-true', 'the test script runs another script', {
      'package.json': json({
        name: 'roman',
        version: '1.0.0',
        main: 'index.js',
        scripts: { test: 'node tests.js' },
      }),
      'tests.js': "console.log('fine');\n",
    }),
  ],
  flows: [
    flow('refactoring')('by-repeat', 'repeats signs in place of a loop', {
      'index.js': INDEX('text += sign.repeat(Math.floor(rest / value)); rest %= value;'),
    }),
    flow('refactoring')('digits-too', 'adds the larger digits to the module that the product has', {
      'index.js': INDEX_RIGHT,
      'digits.js': DIGITS.replace('[[10', "[[50, 'L'], [40, 'XL'], [10"),
    }),
    flow('more cases')('one-more-numeral', 'adds a numeral to the table', {
      'index.js': INDEX_RIGHT,
      'numerals.json': json([
        [1, 'I'],
        [3, 'III'],
        [20, 'XX'],
        [14, 'XIV'],
      ]),
    }),
    flow('documents')('changelog', 'writes a line into the changes', {
      'index.js': INDEX_RIGHT,
      'CHANGES.md': '# 1.0.1\n\nSeveral of a sign.\n',
    }),
  ],
};
