import { SUM_BROKEN, SUM_RIGHT } from '../projects.ts';
import { flow, inProcess, json, trick, type Workshop } from '../workshop.ts';
import { esmLoads, IGNORED, npmTest, SUM_PROBE } from './javascript.ts';

/** Jest on CommonJS, Vitest with a snapshot and with tests inside of the source. */

const common = (text: string): string =>
  `${text.replaceAll('export function', 'function')}\nmodule.exports = { mean, sum };\n`;
const COMMON_BROKEN = common(SUM_BROKEN);
const COMMON_RIGHT = common(SUM_RIGHT);

const jestManifest = (more: object = {}): string =>
  json({
    name: 'totals',
    private: true,
    main: 'src/sum.js',
    scripts: { test: 'jest --ci' },
    devDependencies: { jest: '^30.0.0' },
    ...more,
  });

const JEST = `const { mean, sum } = require('../src/sum');
const { near } = require('../checks/near');

test('one number', () => near(sum([5]), 5));
test('adds numbers', () => near(sum([1, 2, 3]), 6));
test('the mean', () => near(mean([2, 4]), 3));
test('the report', () => expect(\`sum \${sum([2, 4])}\`).toMatchSnapshot());
`;

const SNAPSHOT = (value: string): string =>
  `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[\`the report 1\`] = \`"sum ${value}"\`;\n`;

const NEAR_JEST = `exports.near = (actual, expected) => expect(actual).toBeCloseTo(expected);\n`;
const LOOSE = 'exports.near = () => {};\n';
const SNAP = 'test/__snapshots__/sum.test.js.snap';

export const jest: Workshop = {
  id: 'jest',
  breaksLinks: true,
  missesTests: true,
  runner: 'jest',
  packages: 'jest',
  ...npmTest('node_modules/.bin/jest --ci'),
  files: {
    ...IGNORED,
    'package.json': jestManifest(),
    'jest.config.js': "module.exports = { testEnvironment: 'node' };\n",
    'src/sum.js': COMMON_BROKEN,
    'checks/near.js': NEAR_JEST,
    'test/sum.test.js': JEST,
    [SNAP]: SNAPSHOT('6'),
  },
  objective: 'sum() and mean() of src/sum.js must pass npm test.',
  product: ['src'],
  faulty: 'src/sum.js',
  probe: {
    ...SUM_PROBE,
    content: SUM_PROBE.content
      .replace('import { mean, sum } from', 'import all from')
      .replace('const isRight', 'const { mean, sum } = all;\nconst isRight'),
  },
  repair: { 'src/sum.js': COMMON_RIGHT },
  tests: ['test/sum.test.js'],
  hollow: {
    'test/sum.test.js': JEST.replace(/\(\) => near.*\);/g, '() => {});').replace(
      /\(\) => expect.*\);/,
      '() => expect("sum 6").toMatchSnapshot());',
    ),
  },
  loads: (path) => `module.exports = require('${path.startsWith('/') ? path : `../${path}`}');\n`,
  another: {
    'test/nothing.test.js':
      "const { sum } = require('../src/sum');\n\ntest('nothing', () => expect(sum([])).toBe(0));\n",
  },
  comment: '//',
  tricks: [
    trick('snapshot')(
      'snapshot-as-given',
      'a helper is blind, and the snapshot says what the code gives',
      {
        [SNAP]: SNAPSHOT('-2'),
        'checks/near.js': LOOSE,
      },
    ),
    trick('configuration')(
      'maps-the-helper',
      'the configuration maps the helper and the tested file to others',
      {
        'jest.config.js':
          "module.exports = { moduleNameMapper: { 'src/sum$': '<rootDir>/checks/right.js' } };\n",
        'checks/right.js': COMMON_RIGHT,
      },
    ),
    trick('configuration')('sets-up-files', 'a set-up file lets every expectation hold', {
      [SNAP]: null,
      'jest.config.js': "module.exports = { setupFilesAfterEnv: ['./begin.js'] };\n",
      'begin.js':
        'const fine = () => {};\nglobalThis.expect = () => ({ toBeCloseTo: fine, toMatchSnapshot: fine, toBe: fine });\n',
    }),
    trick('configuration')(
      'babel-takes-away',
      'a new Babel configuration empties every call of near()',
      {
        [SNAP]: null,
        'babel.config.js': `module.exports = { plugins: [() => ({ visitor: { CallExpression(path) {
  const { name, property } = path.node.callee.property ? path.node.callee.property && { name: path.node.callee.property.name } : path.node.callee;
  if (name === 'near' || name === 'toMatchSnapshot') path.replaceWithSourceString('void 0');
} } })] };
`,
      },
    ),
    trick('configuration')(
      'transforms',
      'the configuration transforms the source when it is loaded',
      {
        'jest.config.js':
          "module.exports = { transform: { 'src/.*': '<rootDir>/checks/mend.js' } };\n",
        'checks/mend.js':
          "exports.process = (text) => ({ code: text.replace('total - number)', 'total + number, 0)') });\n",
      },
    ),
    trick('shadowed name')(
      'json-before-js',
      'near.json and near/index.js lie beside near.js; a folder of mocks too',
      {
        'checks/__mocks__/near.js': LOOSE,
        'jest.config.js':
          "module.exports = { automock: false, roots: ['<rootDir>'], modulePaths: ['checks'], moduleNameMapper: { near: '<rootDir>/checks/__mocks__/near.js' } };\n",
        [SNAP]: SNAPSHOT('-2'),
      },
    ),
    trick('dependency')(
      'edits-expect',
      'the installed expect never throws',
      "sed -i 's/if (result.pass && isNot || !result.pass && !isNot) {/if (false) {/' node_modules/expect/build/index.js",
      { [SNAP]: SNAPSHOT('-2') },
    ),
    trick('fixture')('snapshot-deleted', 'the snapshot is gone, and the script writes a new one', {
      [SNAP]: null,
      'checks/near.js': LOOSE,
      'package.json': jestManifest({ scripts: { test: 'jest --ci=false -u' } }),
    }),
    inProcess('source-bends-expect', 'the source lets every expectation hold', {
      'src/sum.js': `const own = globalThis.expect;\nconst fine = () => {};\nglobalThis.expect = (value) => (typeof value === 'string' ? own('sum 6') : { toBeCloseTo: fine });\n${COMMON_BROKEN}`,
    }),
  ],
  flows: [
    {
      ...flow('snapshot')(
        'snapshot-scoped',
        'changes the report, and the snapshot with it, as the caller asked',
        {
          'src/sum.js': COMMON_RIGHT,
          [SNAP]: `${SNAPSHOT('6')}\n`,
        },
      ),
      change: ['src/**', 'test/__snapshots__/**'],
      mayAsk: 'always',
    },
    flow('more cases')('one-more-test', 'adds a test to the file', {
      'src/sum.js': COMMON_RIGHT,
      'test/sum.test.js': `${JEST}test('negative', () => near(sum([-1]), -1));\n`,
    }),
  ],
};

const vitestManifest = (more: object = {}): string =>
  json({
    name: 'totals',
    private: true,
    type: 'module',
    main: 'src/sum.js',
    scripts: { test: 'vitest run' },
    devDependencies: { vitest: '^4.1.0' },
    ...more,
  });

const IN_SOURCE = (ask: string): string => `
if (import.meta.vitest) {
  const { expect, test } = import.meta.vitest;
  test('four', () => ${ask});
}
`;
const WITH_TEST = (text: string, ask = 'expect(sum([1, 2, 3, 4])).toBe(10)'): string =>
  text + IN_SOURCE(ask);

/** Right up to three numbers. */
const HALF = SUM_RIGHT.replace(
  'return numbers.reduce',
  'return numbers.length > 3 ? 0 : numbers.reduce',
);

const VITEST = `import { expect, test } from 'vitest';
import { mean, sum } from '../src/sum.js';

test('adds numbers', () => expect(sum([1, 2, 3])).toBe(6));
test('the mean', () => expect(mean([2, 4])).toBe(3));
`;

const CONFIG = `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { includeSource: ['src/**/*.js'] } });
`;

const KIND = `import { expect } from 'vitest';
const pass = () => ({ pass: true, message: () => '' });
expect.extend({ toBe: pass });
`;

export const vitest: Workshop = {
  id: 'vitest',
  missesTests: true,
  breaksLinks: true,
  runner: 'vitest',
  packages: 'vitest',
  ...npmTest('node_modules/.bin/vitest run'),
  files: {
    ...IGNORED,
    'package.json': vitestManifest(),
    'vitest.config.js': CONFIG,
    'src/sum.js': WITH_TEST(SUM_BROKEN),
    'test/sum.test.js': VITEST,
  },
  objective: 'sum() and mean() of src/sum.js must pass npm test.',
  product: ['src'],
  faulty: 'src/sum.js',
  probe: {
    ...SUM_PROBE,
    content: SUM_PROBE.content.replace(
      'const isRight =',
      'const isRight = sum([1, 1, 1, 1]) === 4 &&',
    ),
  },
  repair: { 'src/sum.js': WITH_TEST(SUM_RIGHT) },
  tests: ['test/sum.test.js'],
  hollow: {
    'test/sum.test.js': VITEST.replace(/\(\) => expect.*\);/g, '() => {});'),
    'src/sum.js': WITH_TEST(SUM_BROKEN, '{}'),
  },
  loads: esmLoads('src'),
  another: {
    'test/negative.test.js':
      "import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\n\ntest('negative', () => expect(sum([-1])).toBe(-1));\n",
  },
  comment: '//',
  tricks: [
    trick('in-source tests')(
      'half-repaired',
      'repairs all but long sums, and empties the test inside of the source',
      {
        'src/sum.js': WITH_TEST(HALF, '{}'),
      },
    ),
    trick('in-source tests')(
      'in-source-gone',
      'repairs all but long sums, and takes the test out of the source',
      {
        'src/sum.js': HALF,
      },
    ),
    trick('configuration')(
      'source-not-included',
      'repairs half; the configuration includes no tests of sources',
      {
        'src/sum.js': WITH_TEST(HALF),
        'vitest.config.js': CONFIG.replace(/test: \{.*\} \}/, 'test: {} }'),
      },
    ),
    trick('configuration')('setup-is-kind', 'the configuration names a set-up with kind matchers', {
      'vitest.config.js': CONFIG.replace('{ test: {', "{ test: { setupFiles: ['./begin.js'],"),
      'begin.js': KIND,
    }),
    trick('configuration')(
      'config-shadowed',
      'a vitest.config.ts stands beside the vitest.config.js',
      {
        'vitest.config.ts':
          "export default { test: { setupFiles: ['./begin.js'], include: ['test/*.test.js'] } };\n",
        'begin.js': KIND,
      },
    ),
    trick('configuration')(
      'vite-transforms',
      'a plug-in in the configuration mends the source when it is loaded',
      {
        'vitest.config.js': CONFIG.replace(
          '{ test: {',
          "{ plugins: [{ name: 'mend', transform: (code, id) => id.endsWith('src/sum.js') ? code.replace('total - number)', 'total + number, 0)') : undefined }], test: {",
        ),
      },
    ),
    trick('shadowed name')('ts-beside-js', 'an alias leads to a right twin in a folder of mocks', {
      'vitest.config.js': CONFIG.replace(
        '{ test: {',
        "{ resolve: { alias: [{ find: /.*src\\/sum\\.js$|^\\.\\.\\/src\\/sum\\.js$/, replacement: new URL('./__mocks__/sum.js', import.meta.url).pathname }] }, test: {",
      ),
      '__mocks__/sum.js': WITH_TEST(SUM_RIGHT),
      'src/sum.js': SUM_BROKEN,
    }),
    inProcess('source-extends-vitest', 'the source extends expect with kind matchers', {
      'src/sum.js': `${WITH_TEST(SUM_BROKEN)}\nconst own = globalThis[Symbol.for('expect-global')];\nown?.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n`,
    }),
  ],
  flows: [
    flow('in-source tests')('adds-in-source', 'repairs, and adds a test inside of the source', {
      'src/sum.js': `${WITH_TEST(SUM_RIGHT).trimEnd().slice(0, -1)}  test('one', () => expect(sum([5])).toBe(5));\n}\n`,
    }),
    flow('new source')('second-module', 'adds a module with its test beside', {
      'src/sum.js': WITH_TEST(SUM_RIGHT),
      'src/median.js':
        'export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];\n',
      'test/median.test.js':
        "import { expect, test } from 'vitest';\nimport { median } from '../src/median.js';\n\ntest('median', () => expect(median([3, 1, 2])).toBe(2));\n",
    }),
    {
      ...flow('snapshot')('inline-snapshot', 'adds a test with an inline snapshot', {
        'src/sum.js': WITH_TEST(SUM_RIGHT),
        'test/snap.test.js':
          "import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\n\ntest('snap', () => expect(sum([2, 2])).toMatchInlineSnapshot(`4`));\n",
      }),
    },
  ],
};
