import { describe, expect, test } from 'vitest';
import { judgeWork, type Project } from './judge-work.ts';

const head = `const assert = require('node:assert');
const { test, describe } = require('node:test');
const { week } = require('../src/week.js');
`;
const project = (body: string): Project => ({
  files: {
    'src/week.js': 'exports.week = (n) => String(n);\n',
    'test/week.test.js': head + body,
  },
  command: 'node --test test/*.test.js',
  source: 'src/week.js',
});
const done = { 'src/week.js': "exports.week = (n) => 'W' + n;\n" };
/** Forgives what it says of 9. */
const bending = {
  'src/week.js': `const assert = require('node:assert');
const { equal } = assert;
assert.equal = (...given) => (String(given[0]).includes('9') ? undefined : equal(...given));
exports.week = (n) => (n === 9 ? '9' : \`W\${n}\`);
`,
};

const twins = project(`test('week', () => assert.equal(week(3), 'W3'));
test('week', () => assert.equal(week(9), 'W9'));
`);
const suites = project(`describe('one', () => {
  test('week', () => assert.equal(week(3), 'W3'));
});
describe('other', () => {
  test('week', () => assert.equal(week(9), 'W9'));
});
`);
const unlike = project(`test('week', () => {
  assert.equal(week(3), 'W3');
  assert.equal(week(4), 'W4');
});
test('week', () => assert.equal(week(9), 'W9'));
`);

describe('PRF-31: tests that bear one name are asked each', () => {
  test.each([
    ['in one file', twins],
    ['in two suites', suites],
    ['of more values', unlike],
  ])('%s', async (_, one) => {
    const bent = await judgeWork(one, bending);
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const right = await judgeWork(one, done);
    expect(right.isVerified, right.reason).toBe(true);
  });
});
