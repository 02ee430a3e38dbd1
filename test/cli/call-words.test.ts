import { expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Call } from '../../schema/turn.ts';
import { nextStep } from '../../src/cli/next-step.ts';
import { deedOf, endOf } from '../../src/cli/watch/call-words.ts';
import type { EndedCall } from '../../src/cli/watch/told.ts';

const ended = (callId: string, exitCode: number, tool = 'check.proof'): EndedCall => ({
  ...{ tool, outcome: 'succeeded', exitCode, change: null, isBeyondScope: false, why: [] },
  call: { callId, tool } as Call,
});

test('TERM-73: what a proof runs says what it looks at, and a failure that it needs is told as one', () => {
  const said = (callId: string, exitCode: number, tool?: string) => {
    const call = ended(callId, exitCode, tool);
    return `${deedOf(call)} ${endOf(call)}`;
  };
  expect(said('gate.t1.2.1.work.c1', 0)).toBe('proof exit 0');
  expect(said('gate.t1.2.1.work.c1', 1)).toBe('proof exit 1');
  expect(said('gate.t1.2.1.original.c1.original', 1)).toBe('before exit 1, as it was');
  expect(said('gate.t1.2.1.canary2.c1.canary2', 1)).toBe('canary exit 1, as it must');
  expect(said('gate.t1.2.1.canary2.c1.canary2', 0)).toBe('canary exit 0');
  expect(said('gate.t1.2.1.control.c1.control', 0)).toBe('control exit 0');
  expect(said('t1.s1.canary1', 1, 'run_command')).toBe('run exit 1');
});

test('TERM-74: of a complete goal with a worktree it is said how its result is taken', () => {
  const goal = (mode: 'worktree' | 'shared', more: Partial<Goal> = {}) =>
    nextStep({ goalId: 'g-1', status: 'complete', workspace: { mode }, ...more } as Goal);
  expect(goal('worktree')).toBe('take it: goalkeeper apply g-1, or goalkeeper pr g-1');
  expect(goal('shared')).toBeNull();
  expect(goal('worktree', { archivedAt: '2026-11-27T00:00:00Z' })).toBeNull();
});
