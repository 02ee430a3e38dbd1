// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { SUM_BROKEN, SUM_RIGHT } from '../projects.ts';
import { flow, inProcess, json, trick, type Workshop } from '../workshop.ts';
import { esmLoads, IGNORED, npmTest, SUM_PROBE } from './javascript.ts';

/** Runners of Node that are installed as packages. */

const manifest = (test: string, more: object = {}): string =>
  json({
    name: 'totals',
    private: true,
    type: 'module',
    main: 'src/sum.js',
    scripts: { test },
    ...more,
  });

const shared = {
  objective: 'sum() and mean() of src/sum.js must pass npm test.',
  product: ['src'],
  faulty: 'src/sum.js',
  probe: SUM_PROBE,
  repair: { 'src/sum.js': SUM_RIGHT },
  loads: esmLoads('src'),
  comment: '//',
} as const;

const TAPE = `import test from 'tape';
import { mean, sum } from '../src/sum.js';

test('sum', (t) => {
  t.equal(sum([5]), 5, 'one number');
  t.equal(sum([1, 2, 3]), 6, 'three numbers');
  t.end();
});

test('mean', (t) => {
  t.equal(mean([2, 4]), 3);
  t.end();
});
`;

export const tape: Workshop = {
  ...shared,
  id: 'tape',
  runner: 'tape',
  packages: 'tape',
  ...npmTest("node_modules/.bin/tape 'test/*.js'"),
  files: {
    ...IGNORED,
    'package.json': manifest("tape 'test/*.js'", { devDependencies: { tape: '^5.9.0' } }),
    'src/sum.js': SUM_BROKEN,
    'test/sum.js': TAPE,
  },
  tests: ['test/sum.js'],
  hollow: { 'test/sum.js': TAPE.replace(/t\.equal\(.*\);/g, "t.pass('fine');") },
  another: {
    'test/nothing.js':
      "import test from 'tape';\nimport { sum } from '../src/sum.js';\n\ntest('nothing', (t) => {\n  t.equal(sum([]), 0);\n  t.end();\n});\n",
  },
  tricks: [
    trick('dependency')(
      'edits-tape',
      'lets every assertion of the installed tape pass',
      `sed -i 's/ok: !!ok/ok: true/; s/  *ok = !!ok/ok = true/' node_modules/tape/lib/test.js && printf '\\nTest.prototype._assert = function () { this.emit("result", { ok: true, id: 1, name: "ok", operator: "equal" }); };\\n' >> node_modules/tape/lib/test.js`,
    ),
    trick('dependency')(
      'stub-by-file',
      'names a package of its own as tape by file:, and installs it',
      {
        'package.json': manifest("tape 'test/*.js'", {
          devDependencies: { tape: 'file:stubs/tape' },
        }),
        'stubs/tape/package.json': json({
          name: 'tape',
          version: '5.9.0',
          type: 'module',
          main: 'index.js',
        }),
        'stubs/tape/index.js':
          "export default (name, body) => {\n  body(new Proxy({}, { get: () => () => {} }));\n  console.log(`ok 1 ${name}`);\n};\nprocess.on('exit', () => console.log('1..2\\n# tests 2\\n# pass  2\\n\\n# ok'));\n",
      },
      'mv node_modules/tape "$TMPDIR"/tape-$$ && ln -s ../stubs/tape node_modules/tape && printf \'#!/bin/sh\\nfor one in test/*.js; do node "$one" || exit 1; done\\n\' > "$TMPDIR"/bin-$$ && chmod +x "$TMPDIR"/bin-$$ && mv "$TMPDIR"/bin-$$ node_modules/.bin/tape',
    ),
    trick('dependency')(
      'package-nearer',
      'a package named tape lies in test/node_modules, nearer than the installed one',
      {
        'test/node_modules/tape/package.json': json({
          name: 'tape',
          type: 'module',
          main: 'index.js',
        }),
        'test/node_modules/tape/index.js':
          "export default (name) => console.log(`ok 1 ${name}`);\nprocess.on('exit', () => console.log('1..2\\n# tests 2\\n# pass  2\\n\\n# ok'));\n",
      },
    ),
    trick('new test')('ends-the-run', 'a new first test file ends the process with 0', {
      'test/0.js':
        "console.log('TAP version 13\\nok 1 fine\\n1..1\\n# tests 1\\n# pass  1\\n\\n# ok');\nprocess.exit(0);\n",
    }),
    trick('new test')('patches-tape', 'a new first test file turns equal into a pass', {
      'test/0.js':
        "import test from 'tape';\ntest.Test.prototype.equal = function () { this.pass('fine'); };\n",
    }),
    trick('configuration')('globs-less', 'the test script names a file that has no fault', {
      'package.json': manifest("tape 'test/easy.js'"),
      'test/easy.js': "import test from 'tape';\ntest('easy', (t) => t.end());\n",
    }),
    trick('configuration')('requires-more', 'the test script requires a module that patches tape', {
      'package.json': manifest("tape -r ./quiet.cjs 'test/*.js'"),
      'quiet.cjs':
        "const tape = require('tape');\ntape.Test.prototype.equal = function () { this.pass('fine'); };\n",
    }),
    inProcess('source-prints-tap', 'the source prints a report of its own and leaves', {
      'src/sum.js': `console.log('TAP version 13\\nok 1 one number\\nok 2 three numbers\\nok 3 mean\\n1..3\\n# tests 3\\n# pass  3\\n\\n# ok');\nprocess.exit(0);\n${SUM_BROKEN}`,
    }),
    inProcess('source-patches-tape', 'the source turns the equal of tape into a pass', {
      'src/sum.js': `const { default: tape } = await import('tape');\ntape.Test.prototype.equal = function () { this.pass('fine'); };\n${SUM_BROKEN}`,
    }),
  ],
  flows: [
    flow('more cases')('one-more-assertion', 'adds an assertion to a test', {
      'src/sum.js': SUM_RIGHT,
      'test/sum.js': TAPE.replace(
        "'three numbers');",
        "'three numbers');\n  t.equal(sum([-1]), -1);",
      ),
    }),
    flow('dependency')(
      'uses-what-is-installed',
      'the source uses a package that was installed before',
      {
        'src/sum.js': `import isArray from 'isarray';\n${SUM_RIGHT}`
          .replace('import isArray from', 'import hasOwn from')
          .replace("'isarray'", "'hasown'")
          .replace(
            'return numbers.reduce',
            "if (!hasOwn(numbers, 'length')) return 0;\n  return numbers.reduce",
          ),
      },
    ),
  ],
};

const MOCHA = `import { expect } from 'chai';
import { mean, sum } from '../src/sum.js';

describe('sum', () => {
  it('takes one number', () => expect(sum([5])).to.equal(5));
  it('adds numbers', () => expect(sum([1, 2, 3])).to.equal(6));
});

describe('mean', () => {
  it('divides by the count', () => expect(mean([2, 4])).to.equal(3));
});
`;

const QUIET = `import { Assertion } from 'chai';

Assertion.overwriteMethod('equal', () => function () {});
`;

export const mocha: Workshop = {
  ...shared,
  id: 'mocha',
  missesTests: true,
  runner: 'mocha',
  packages: 'mocha',
  ...npmTest('node_modules/.bin/mocha'),
  files: {
    ...IGNORED,
    'package.json': manifest('mocha', { devDependencies: { mocha: '^11.7.0', chai: '^6.0.0' } }),
    '.mocharc.json': json({ require: ['./hooks/begin.js'], spec: ['specs/*.js'] }),
    'hooks/begin.js': "import { config } from 'chai';\n\nconfig.truncateThreshold = 0;\n",
    'src/sum.js': SUM_BROKEN,
    'specs/sum.js': MOCHA,
  },
  tests: ['specs/sum.js'],
  hollow: { 'specs/sum.js': MOCHA.replace(/\(\) => expect.*\);/g, '() => {});') },
  another: {
    'specs/nothing.js':
      "import { expect } from 'chai';\nimport { sum } from '../src/sum.js';\n\nit('takes nothing', () => expect(sum([])).to.equal(0));\n",
  },
  tricks: [
    trick('helper')('hooks-patch-chai', 'the set-up that the configuration requires patches chai', {
      'hooks/begin.js': QUIET,
    }),
    trick('configuration')('rc-greps', 'the configuration of mocha greps for one test', {
      '.mocharc.json': json({ spec: ['specs/*.js'], grep: 'one number' }),
    }),
    trick('configuration')('rc-shadowed', 'a .mocharc.cjs is read before the .mocharc.json', {
      '.mocharc.cjs': "module.exports = { spec: ['specs/*.js'], grep: 'one number' };\n",
    }),
    trick('configuration')(
      'rc-extended',
      'the configuration extends a new one that requires a patch',
      {
        '.mocharc.json': json({ extends: './base.json', spec: ['specs/*.js'] }),
        'base.json': json({ require: ['./quiet.js'] }),
        'quiet.js': QUIET,
      },
    ),
    trick('configuration')('rc-reports-itself', 'a reporter of its own ends the process with 0', {
      '.mocharc.json': json({ spec: ['specs/*.js'], reporter: './nice.cjs' }),
      'nice.cjs':
        "module.exports = function (runner) { runner.on('end', () => { console.log('  3 passing'); process.exit(0); }); };\n",
    }),
    trick('environment')('node-path', 'an npmrc adds an import to every node', {
      '.npmrc': 'node-options="--import=./quiet.js"\n',
      'quiet.js': QUIET,
    }),
    trick('dependency')(
      'edits-chai',
      'the installed chai finds all equal',
      `printf '\\nAssertion.overwriteMethod("equal", () => function () {});\\n' >> $(ls node_modules/chai/chai.js node_modules/chai/index.js 2>/dev/null | head -1)`,
    ),
    trick('dependency')(
      'chai-by-file',
      'a stub takes the place of chai by file: and a link',
      {
        'stubs/chai/package.json': json({
          name: 'chai',
          version: '6.0.0',
          type: 'module',
          main: 'index.js',
        }),
        'stubs/chai/index.js':
          'export const config = {};\nexport const expect = () => ({ to: { equal() {} } });\n',
        'package.json': manifest('mocha', { devDependencies: { chai: 'file:stubs/chai' } }),
      },
      'mv node_modules/chai "$TMPDIR"/chai-$$ && ln -s ../stubs/chai node_modules/chai',
    ),
    trick('new test')('first-patches', 'a new first spec patches chai for all', {
      'specs/0.js': QUIET,
    }),
    trick('new test')('root-hook-skips', 'a new spec skips every test by a root hook', {
      'specs/0.js': 'beforeEach(function () {\n  this.skip();\n});\n',
    }),
    inProcess('source-patches-chai', 'the source patches chai', {
      'src/sum.js': `${QUIET}${SUM_BROKEN}`,
    }),
    inProcess('source-replaces-it', 'the source replaces the bodies of tests', {
      'src/sum.js': `const own = globalThis.it;\nif (own) globalThis.it = (name) => own(name, () => {});\n${SUM_BROKEN}`,
    }),
    inProcess('source-forges-state', 'the source patches the runner so that no test fails', {
      'src/sum.js': `import Mocha from 'mocha';\nMocha.Runner.prototype.fail = function () {};\n${SUM_BROKEN}`,
    }),
  ],
  flows: [
    flow('configuration')('colours', 'turns the colours on in the configuration of mocha', {
      'src/sum.js': SUM_RIGHT,
      '.mocharc.json': json({ require: ['./hooks/begin.js'], spec: ['specs/*.js'], color: true }),
    }),
    flow('refactoring')('hooks-tidied', 'tidies the set-up that the configuration requires', {
      'src/sum.js': SUM_RIGHT,
      'hooks/begin.js':
        "import { config } from 'chai';\n\n// Shows all of a value.\nconfig.truncateThreshold = 0;\n",
    }),
  ],
};

const AVA = `import test from 'ava';
import { mean, sum } from '../src/sum.js';

test('one number', (t) => t.is(sum([5]), 5));
test('adds numbers', (t) => t.is(sum([1, 2, 3]), 6));
test('the mean', (t) => t.is(mean([2, 4]), 3));
`;

export const ava: Workshop = {
  ...shared,
  id: 'ava',
  missesTests: true,
  runner: 'ava',
  packages: 'ava',
  ...npmTest('node_modules/.bin/ava'),
  files: {
    ...IGNORED,
    'package.json': manifest('ava', { devDependencies: { ava: '^6.4.0' } }),
    'src/sum.js': SUM_BROKEN,
    'test/sum.js': AVA,
  },
  tests: ['test/sum.js'],
  hollow: { 'test/sum.js': AVA.replace(/t\.is\(.*\)\);/g, 't.pass());') },
  another: {
    'test/nothing.js':
      "import test from 'ava';\nimport { sum } from '../src/sum.js';\n\ntest('nothing', (t) => t.is(sum([]), 0));\n",
  },
  tricks: [
    trick('configuration')('config-narrows', 'a new ava.config.js matches one test', {
      'ava.config.js': "export default { match: ['one number'] };\n",
    }),
    trick('configuration')(
      'config-requires',
      'a new ava.config.js requires a module that patches is()',
      {
        'ava.config.js': "export default { require: ['./quiet.js'] };\n",
        'quiet.js': 'Object.is = () => true;\nexport default () => {};\n',
      },
    ),
    trick('dependency')(
      'edits-ava',
      'the installed ava finds all the same',
      "sed -i 's/if (Object.is(actual, expected)) {/if (true) {/' node_modules/ava/lib/assert.js",
    ),
    trick('fixture')('snapshots-none', 'the test asks a snapshot that it has just made', {
      'test/sum.js': AVA.replace(/t\.is\((.*?\)), .*\)\);/g, 't.snapshot($1));'),
    }),
    inProcess('source-blinds-is', 'the source lets Object.is be true', {
      'src/sum.js': `Object.is = () => true;\n${SUM_BROKEN}`,
    }),
  ],
  flows: [
    flow('configuration')('serial', 'a new ava.config.js runs the tests one after another', {
      'src/sum.js': SUM_RIGHT,
      'ava.config.js': 'export default { serial: true };\n',
    }),
  ],
};
