import { expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot } from '../../../src/contract/goal-state.ts';
import type { Mutation } from '../../../src/contract/mutation.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { followUpsOfMutation } from '../../../src/record/mutation/follow-ups.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const running = initialChart();
const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
const paused = step(running, { type: 'goal.paused', pause });
const waiting = step(running, {
  type: 'turn.waits',
  wait: { on: 'provider', reason: 'rate limit', since: NOW, until: NOW },
  next: 'resume',
} as unknown as GoalEvent);

const of = (
  kind: string,
  {
    chart = running,
    role = 'operator',
    isDelegate,
    ...facts
  }: {
    chart?: ChartSnapshot;
    role?: Mutation['role'];
    isDelegate?: true;
    isOver?: boolean;
    isHeldByRun?: boolean;
  } = {},
) =>
  followUpsOfMutation(
    { chart, ...(isDelegate && { isDelegate }) },
    { commitId: 'c', role, by: 'ada', kind } as Mutation,
    { isOver: false, isHeldByRun: true, ...facts },
  );

test.each([
  ['nobody runs it', { isHeldByRun: false }, true],
  ['a run holds it and it works', {}, false],
  ['a run holds it and it waits', { chart: waiting }, true],
  ['a run holds it and it is paused', { chart: paused }, true],
])('what ends a goal charges the steps that were lost where %s', (_, ground, charges) => {
  expect(of('clear', { ...ground, isOver: true }).chargesLostSteps).toBe(charges);
  expect(of('clear', ground).chargesLostSteps).toBe(false);
});

test('a person who speaks begins a new chain; a program does not, and a pause does not', () => {
  expect(of('message').restartsChain).toBe(true);
  expect(of('message', { role: 'agent' }).restartsChain).toBe(false);
  expect(of('pause').restartsChain).toBe(false);
});

test('a delegate that a person speaks to or pauses no longer follows its parent', () => {
  expect(of('message', { isDelegate: true }).leavesParentsPause).toBe(true);
  expect(of('pause', { isDelegate: true }).leavesParentsPause).toBe(true);
  expect(of('amend', { isDelegate: true }).leavesParentsPause).toBe(false);
  expect(of('pause').leavesParentsPause).toBe(false);
});
