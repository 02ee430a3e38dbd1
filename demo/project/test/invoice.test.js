import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/invoice.js';

const lines = [
  { quantity: 3, unitCents: 1999 },
  { quantity: 1, unitCents: 500 },
];

test('lines are multiplied and added', () => {
  assert.equal(total({ lines }), 6497);
});

test('tax is due on what remains after the discount, rounded to the cent', () => {
  assert.equal(total({ lines, discountPercent: 10, taxPercent: 19 }), 6958);
});

test('an empty invoice costs nothing', () => {
  assert.equal(total({ lines: [] }), 0);
});
