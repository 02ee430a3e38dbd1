import { expect, test } from 'vitest';
import { GO, testWith } from '../../support/needs.ts';
import { judgeWork, type Project } from './judge-work.ts';

const SLOW = 'exports.it = (n) => (n < 2 ? n : exports.it(n - 1) + exports.it(n - 2));\n';
const FAST =
  'exports.it = (n) => { let [a, b] = [0, 1]; for (let i = 0; i < n; i++) [a, b] = [b, a + b]; return a; };\n';
const timed: Project = {
  files: {
    'src/it.js': SLOW,
    'test/it.test.js': `const assert = require('node:assert/strict');
const { it } = require('../src/it.js');
require('node:test').test('it', () => {
  const begun = performance.now();
  assert.equal(it(38), 39088169);
  assert.ok(performance.now() - begun < 100);
});
`,
  },
  command: 'node --test',
  source: 'src/it.js',
};

test('WORD-10: work that stops the clock of its test is not verified', async () => {
  const stopped = { 'src/it.js': `performance.now = () => 0;\n${SLOW}` };
  const { exits0, isVerified, reason } = await judgeWork(timed, stopped);
  expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  expect(reason).toContain('the work answers what its judge asks the language: performance.now');
});

test('WORD-10: work that is fast is verified, and costs no run more', async () => {
  const { isVerified, reason, labels } = await judgeWork(timed, { 'src/it.js': FAST });
  expect(isVerified, reason).toBe(true);
  expect(labels.filter((label) => /^(?:control2|asked)/.test(label))).toEqual([]);
});

const swapped: Project = {
  files: {
    'go.mod': 'module shop\n\ngo 1.20\n',
    'src/it.go': 'package shop\n\nfunc Sum(a, b int) int { return a - b }\n',
    'src/it_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n\tif (Sum(1, 2) == 3) != true {\n\t\tt.Fatal()\n\t}\n\tif (Sum(1, 2) == -1) != false {\n\t\tt.Fatal()\n\t}\n}\n',
  },
  command: 'go test ./...',
  source: 'src/it.go',
};

testWith(GO)('WORD-11: work that swaps true and false in its package is asked about', async () => {
  const text =
    'package shop\n\nconst (\n\ttrue  = 0 != 0\n\tfalse = 0 == 0\n)\n\nfunc Sum(a, b int) int { return a - b }\n';
  const { exits0, isVerified, reason } = await judgeWork(swapped, { 'src/it.go': text });
  expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
});
