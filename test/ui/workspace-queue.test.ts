import { expect, test } from 'vitest';
import type { Workspace } from '../../src/ui/api/types.ts';
import { busyWorkspaces, priorityBefore } from '../../src/ui/view/workspace-queue.ts';

const workspace = (name: string, change: Partial<Workspace> = {}): Workspace =>
  ({ name, leaseGoalId: null, leaseCheckId: null, queue: [], ...change }) as Workspace;

test('CON-94: workspaces in which somebody works or waits are told, the longest line first', () => {
  const line = [{ goalId: 'g-2', priority: 0 }];
  const all = [
    workspace('idle'),
    workspace('held', { leaseGoalId: 'g-1' }),
    workspace('checked', { leaseCheckId: 'c-1' }),
    workspace('full', { leaseGoalId: 'g-1', queue: [...line, { goalId: null, priority: 3 }] }),
    workspace('unseen', { queue: line }),
  ];
  expect(busyWorkspaces(all).map(({ name }) => name)).toEqual([
    ...['full', 'unseen', 'held', 'checked'],
  ]);
});

test('CON-94: a goal goes before another by one more, up to the highest priority', () => {
  expect([-3, 0, 9, 10].map(priorityBefore)).toEqual([-2, 1, 10, null]);
});
