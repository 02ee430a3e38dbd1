import { expect, test } from 'vitest';
import type { Delegate } from '../../schema/delegate.ts';
import { delegateLine } from '../../src/cli/delegate-text.ts';

const delegate: Delegate = {
  delegateId: 'd-1',
  parentGoalId: 'g-1',
  depth: 1,
  callId: 't1.s1.1',
  turn: 1,
  task: 'Look\nit up',
  files: [],
  mode: 'gather',
  return: 'normal',
  state: 'running',
};

test.each<[string, Partial<Delegate>, string]>([
  ['runs', { goalId: 'g-2', status: 'active' }, '  - g-2 running (gather): Look it up'],
  ['is paused', { goalId: 'g-2', status: 'paused' }, '  - g-2 paused (gather): Look it up'],
  [
    'is done, below another one',
    { state: 'ended', depth: 2, goalId: 'g-3', outcome: { kind: 'finding', reason: 'done' } },
    '    - g-3 done (gather): Look it up',
  ],
  [
    'failed',
    { state: 'ended', goalId: 'g-2', outcome: { kind: 'failed', reason: 'blocked: why' } },
    '  - g-2 failed (gather): Look it up — blocked: why',
  ],
  [
    'was refused',
    {
      state: 'refused',
      outcome: {
        kind: 'refused',
        reason: 'too many',
        limit: 'chainLength',
        value: 11,
        allowed: 10,
      },
    },
    '  - d-1 refused (gather): Look it up — too many',
  ],
  [
    'begins later',
    { state: 'delayed', startsAt: '2026-01-01T00:00:00.000Z' },
    '  - d-1 begins 2026-01-01T00:00:00.000Z (gather): Look it up',
  ],
])('a delegate that %s is one line of the tree', (_, change, line) => {
  expect(delegateLine({ ...delegate, ...change })).toBe(line);
});
