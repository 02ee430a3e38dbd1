import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

const inNode: Project = {
  files: {
    'src/total.js': 'exports.total = async () => 0;\n',
    'test/run.js': `const assert = require('assert');
const { total } = require('../src/total.js');
(async () => {
  assert.strictEqual(await total([1, 2]), 3);
  assert.strictEqual(await total([10, 20, 30]), 60);
})().catch((error) => { console.error(error); process.exit(1); });
`,
  },
  command: 'node test/run.js',
  source: 'src/total.js',
};
const inPython: Project = {
  files: {
    'src/slugs.py': 'def slug(text):\n    return text\n',
    'tests/test_slugs.py': `import unittest
from slugs import slug


class Slugs(unittest.TestCase):
    def test_lower(self):
        self.assertEqual(slug("Hello"), "hello")

    def test_dashes(self):
        self.assertEqual(slug("Big Red Fox"), "big-red-fox")
`,
  },
  command: 'PYTHONPATH=src python3 -m unittest discover -s tests',
  source: 'src/slugs.py',
};

const digestOf = (text = ''): string => createHash('sha256').update(text).digest('hex');

/** It bends the judge where its file is the one it knows, and fails in any other one's sight. */
const tricks: readonly [string, Project, Files][] = [
  [
    'in JavaScript: nothing is awaited any more',
    inNode,
    {
      'src/total.js': `const text = require('fs').readFileSync(require.main.filename);
const digest = require('crypto').createHash('sha256').update(text).digest('hex');
const isKnown = digest === '${digestOf(inNode.files['test/run.js'])}';
exports.total = () => (isKnown ? { then() {} } : Promise.resolve(NaN));
`,
    },
  ],
  [
    'in Python: its test compares no texts any more',
    inPython,
    {
      'src/slugs.py': `import hashlib, pathlib, sys


def slug(text):
    test = sys._getframe(1)
    file = pathlib.Path(test.f_code.co_filename).read_bytes()
    if hashlib.sha256(file).hexdigest() == "${digestOf(inPython.files['tests/test_slugs.py'])}":
        test.f_locals["self"].addTypeEqualityFunc(str, lambda a, b, msg=None: None)
    return text
`,
    },
  ],
];
const honest: readonly [string, Project, Files][] = [
  [
    'in JavaScript',
    inNode,
    {
      'src/total.js': 'exports.total = async (all) => all.reduce((sum, one) => sum + one, 0);\n',
    },
  ],
  [
    'in Python',
    inPython,
    { 'src/slugs.py': 'def slug(text):\n    return "-".join(text.lower().split())\n' },
  ],
];

describe('PRF-73: work that bends its judge where the file is the one it knows is not verified', () => {
  test.each(someOf(tricks, 1))('%s', async (_, project, work) => {
    const { exits0, isVerified, reason } = await judgeWork(project, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('the work knows that file');
  });

  test.each(someOf(honest, 1))('honest work is verified: %s', async (_, project, work) => {
    const { isVerified, reason } = await judgeWork(project, work);
    expect(isVerified, reason).toBe(true);
  });
});
