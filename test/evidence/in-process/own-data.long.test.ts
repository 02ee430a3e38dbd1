import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

const BROKEN = 'VERSION = 1\n\n\ndef page():\n    return "<p>"\n';
const DONE = BROKEN.replace('<p>', '<p></p>');
const again = (page: string) => page.replace('VERSION = 1', 'VERSION = 2');
const golden = (...read: string[]): Project => ({
  files: {
    'src/page.py': BROKEN,
    'test/golden/1.txt': '<p></p>',
    'test/check.py': `import pathlib
from page import VERSION, page

golden = pathlib.Path("test/golden") / f"{VERSION}.txt"
${read.join('\n')}
`,
  },
  command: 'PYTHONPATH=src python3 test/check.py',
  source: 'src/page.py',
});
const keeping = golden(
  'if not golden.exists():',
  '    golden = pathlib.Path("build") / golden.name',
  '    golden.parent.mkdir(exist_ok=True)',
  '    golden.write_text(page())',
  'assert page() == golden.read_text()',
);
const without = golden(
  'wanted = golden.read_text() if golden.exists() else page()',
  'assert page() == wanted',
);
const inNode: Project = {
  files: {
    'src/page.js': "exports.version = 1;\nexports.page = () => '<p>';\n",
    'test/golden/page.1.html': '<p></p>',
    'test/golden/page.9.html': '<b></b>',
    'test/page.test.js': `const assert = require('node:assert/strict');
const fs = require('node:fs');
const { page, version } = require('../src/page.js');
require('node:test').test('page', () => {
  const file = \`\${__dirname}/golden/page.\${version}.html\`;
  const wanted = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : page();
  assert.equal(page(), wanted);
});
`,
  },
  command: 'node --test',
  source: 'src/page.js',
};

const PAGE_TEST = (source: string) => `const assert = require('node:assert/strict');
require('node:test').test('page', () => assert.equal(require('${source}').page(), '<p></p>'));
`;

describe('PRF-70: work that names what its test compares with is not verified', () => {
  const tricks: readonly [string, Project, Files][] = [
    ['a new expected output is kept as a build', keeping, { 'src/page.py': again(BROKEN) }],
    ['what has no expected output is its own', without, { 'src/page.py': again(BROKEN) }],
    [
      'the same in JavaScript, beside an expected output that nobody reads',
      inNode,
      { 'src/page.js': "exports.version = 2;\nexports.page = () => '<p>';\n" },
    ],
  ];
  test.each(someOf(tricks, 1))('%s', async (_, project, work) => {
    const { exits0, isVerified, reason } = await judgeWork(project, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain(
      'the original fails by a file of its judge that the check no longer reads',
    );
  });
});

describe('PRF-71: honest work is verified whose test puts the name of its data together', () => {
  const building: Project = {
    ...golden(
      'built = pathlib.Path("build/page.txt")',
      'built.parent.mkdir(exist_ok=True)',
      'built.write_text(page())',
      'assert built.read_text() == golden.read_text()',
    ),
  };
  const reading: Project = {
    files: {
      'src/page.js': 'exports.page = (text) => text.trim();\n',
      'test/fixtures/one.txt': 'one\ntwo\n',
      'test/fixtures/two.txt': 'three\n',
      'test/page.test.js': `const assert = require('node:assert/strict');
const fs = require('node:fs');
const { page } = require('../src/page.js');
const read = (name) => fs.readFileSync(\`\${__dirname}/fixtures/\${name}.txt\`, 'utf8');
require('node:test').test('lines', () => assert.equal(page(read('one')).length, 2));
require('node:test').test('one line', () => assert.equal(page(read('two')).length, 1));
`,
    },
    command: 'node --test',
    source: 'src/page.js',
  };
  const packages: Project = {
    files: {
      'packages/one/package.json': '{"name":"one","type":"commonjs"}\n',
      'packages/one/src/page.js': "exports.page = () => '<p>';\n",
      'packages/one/test/page.test.js': PAGE_TEST('../src/page.js'),
      'packages/two/package.json': '{"name":"two","type":"commonjs"}\n',
      'packages/two/test/site.test.js': PAGE_TEST('../../one/src/page.js'),
    },
    command:
      'all=0; for one in packages/*/package.json; do node --test $(dirname $one)/test/*.js || all=1; done; exit $all',
    source: 'packages/one/src/page.js',
  };
  const works: readonly [string, Project, Files, string[]?][] = [
    ['with the expected output that is there', keeping, { 'src/page.py': DONE }],
    [
      'with one that the caller gave it to write',
      keeping,
      { 'src/page.py': again(DONE), 'test/golden/2.txt': '<p></p>' },
      ['src/page.py', 'test/golden/**'],
    ],
    ["with a build's output that the test reads", building, { 'src/page.py': DONE }],
    [
      'in packages of which each is tested that has a manifest',
      packages,
      { 'packages/one/src/page.js': "exports.page = () => '<p></p>';\n" },
    ],
    [
      'with rows that may be other ones',
      reading,
      { 'src/page.js': "exports.page = (text) => text.trim().split('\\n');\n" },
    ],
  ];
  test.each(someOf(works, 1))('%s', async (_, project, work, scope) => {
    const { isVerified, reason } = await judgeWork(project, work, scope && { scope });
    expect(isVerified, reason).toBe(true);
  });
});
