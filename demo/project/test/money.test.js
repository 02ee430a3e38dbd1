import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, sum } from '../src/money.js';

test('no amounts add up to nothing', () => {
  assert.equal(sum([]), 0);
});

test('amounts add up', () => {
  assert.equal(sum([100, 250]), 350);
});

test('thousands are grouped, however many', () => {
  assert.equal(format(123450), '1,234.50');
  assert.equal(format(123456789), '1,234,567.89');
});
