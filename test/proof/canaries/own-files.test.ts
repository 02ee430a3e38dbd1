import { describe, expect, test } from 'vitest';
import {
  copyOf,
  ownFiles,
  renamingFiles,
  saysFile,
} from '../../../src/proof/canaries/own-files.ts';

const own = (
  text: string,
  path: string,
  file: string,
  elsewhere: string[] = [],
  more: string[] = [],
) =>
  ownFiles({
    judge: [{ path, text }],
    files: [file],
    elsewhere,
    paths: [path, file, 'src/week.js', ...more],
  });

describe('WORD-21: files that only the judge names may have other names', () => {
  test.each([
    [
      'test/a.js',
      "const r = require('./rejects.js');\n",
      'test/rejects.js',
      "require('./other.js')",
    ],
    ['test/a.js', "import r from './rejects';\n", 'test/rejects.js', "from './other'"],
    ['test/a.ts', "import r from './rejects.js';\n", 'test/rejects.ts', "from './other.js'"],
    ['test/a.sh', '. test/assert-eq.sh\n', 'test/assert-eq.sh', '. test/other.sh'],
    ['test/a.sh', 'cat cases/bad.txt\n', 'cases/bad.txt', 'cat cases/other.txt'],
    ['test/a.sh', 'cat cases/b.txt\n', 'cases/b.txt', 'cat cases/other.txt'],
    [
      'test/a_test.go',
      'os.ReadFile("testdata/week.golden")\n',
      'testdata/week.golden',
      'testdata/other.golden',
    ],
    ['test/a.js', "read('./fixtures/want')\n", 'test/fixtures/want', './fixtures/other'],
    ['test/a.js', "read('.golden/1')\n", 'test/.golden/1', '.golden/other'],
    ['test/a.js', "read('./1.bin')\n", 'test/1.bin', './other.bin'],
    ['test/a.js', "read('./a.one.txt')\n", 'test/a.one.txt', './other.txt'],
    ['test/a.js', "read('./v.json')\n", 'test/v.json', './other.json'],
    ['test/a.c', '#include "expect.h"\n', 'test/expect.h', '#include "other.h"'],
    [
      'tests/a.py',
      'from helpers import rejects\n',
      'tests/helpers.py',
      'from other import rejects',
    ],
    [
      'tests/a.py',
      'from tests.helpers import x\n',
      'tests/helpers.py',
      'from tests.other import x',
    ],
    ['tests/a.py', 'import helpers\n', 'tests/helpers.py', 'import other as helpers'],
    ['tests/a.py', 'from tests import helpers\n', 'tests/helpers.py', 'import other as helpers'],
    ['t/a.rb', "require_relative 'helper'\n", 't/helper.rb', "require_relative 'other'"],
  ])('%s: %j names %s', (path, text, file, now) => {
    expect(own(text, path, file)).toEqual([file]);
    expect(renamingFiles(new Map([[file, 'other']]), () => false)(text)).toContain(now);
    expect(own(text, path, file, [text])).toEqual([]);
  });

  test('but none that another file shares its name with, nor one in a folder that is walked', () => {
    const text = "import { week } from './week.js';\n";
    expect(own(text, 'test/a.js', 'test/week.js')).toEqual([]);
    const walking = "import r from './rejects.js';\nreaddirSync('test');\n";
    expect(own(walking, 'test/a.js', 'test/rejects.js')).toEqual([]);
    expect(own('. test/eq.sh\nfor f in test/*; do :; done\n', 'a.sh', 'test/eqs.sh')).toEqual([]);
    expect(own('nothing\n', 'test/a.js', 'test/rejects.js')).toEqual([]);
  });

  test('and a word of the same name changes with it', () => {
    const text = 'from reference import reference\nassert total(3) == reference(3)\n';
    const names = new Map([['tests/reference.py', 'other']]);
    expect(renamingFiles(names, () => true)(text)).toBe(text.replaceAll('reference', 'other'));
    expect(copyOf('tests/reference.py', 'other')).toBe('tests/other.py');
    expect(copyOf('test/a.test.js', 'other')).toBe('test/other.js');
  });
});

describe('WORD-44: a word is no name of a file', () => {
  const says = (text: string, file: string, path = 'test/a.js') => saysFile([{ path, text }])(file);

  test.each([
    ["f('a')", 'test/a.golden', false],
    ["read('a.golden')", 'test/a.golden', true],
    ["read(name + '.golden'); f('a')", 'test/a.golden', true],
    [`read(\`\${name}.golden\`); f('a')`, 'test/a.golden', true],
    ["read(name + '.' + 'golden'); f('a')", 'test/a.golden', true],
    ["read(name + '.golden'); f('b')", 'test/a.golden', false],
    ["read('b.golden'); f('a')", 'test/a.golden', false],
    ["test('a', () => read('fixtures/b'))", 'test/fixtures/a', false],
    ["read(join('fixtures', 'a'))", 'test/fixtures/a', true],
    ["f('v')", 'test/v.json', false],
    ["load('v', 'json')", 'test/v.json', true],
    ["require('./v')", 'test/v.js', true],
  ])('%s: %s %s', (text, file, isSaid) => {
    expect(says(text, file)).toBe(isSaid);
  });

  test.each([
    [`cat "\${c%.in}.out" one`, 'cases/one.out', true],
    ['cat $c.out one', 'cases/one.out', true],
    ['cat b.out one', 'cases/one.out', false],
  ])('in a shell: %s', (text, file, isSaid) => {
    expect(says(text, file, 'test/a.sh')).toBe(isSaid);
  });
});
