import { describe, expect, test } from 'vitest';
import type { WaitOn } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot } from '../../../src/contract/goal-state.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { closeRevision, followUpsOf } from '../../../src/record/revision/follow-ups.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const running = initialChart();
const chartAfter = (chart: ChartSnapshot, ...events: GoalEvent[]) => events.reduce(step, chart);
const waiting = (on: WaitOn, approvalIds: readonly string[] = []) =>
  chartAfter(running, {
    type: 'wait.began',
    wait: { on, reason: 'a test', since: NOW, until: null, approvalIds },
  });
const paused = (approvalId?: string) =>
  chartAfter(running, {
    type: 'goal.paused',
    pause: {
      reason: 'person',
      message: 'stop',
      missing: [],
      since: NOW,
      ...(approvalId === undefined ? {} : { approvalId }),
    },
  });
const complete = chartAfter(running, { type: 'goal.completed' });
const cleared = chartAfter(running, { type: 'goal.cleared' });

describe('the workspace after a revision', () => {
  const released = (before: ChartSnapshot, next: ChartSnapshot, isTurnOpen: boolean) =>
    followUpsOf(before, next, isTurnOpen).releasesWorkspace;

  test('stays with a goal that runs, and with an open turn of one that was paused', () => {
    expect(released(running, running, false)).toBe('no');
    expect(released(running, paused(), true)).toBe('no');
    expect(released(running, cleared, true)).toBe('no');
  });

  test('is released by a goal that is closed once its turn settled, except to a rewind', () => {
    expect(released(running, paused(), false)).toBe('unless_rewinding');
    expect(released(running, complete, false)).toBe('unless_rewinding');
    expect(released(running, cleared, false)).toBe('always');
  });

  test.each(['timer', 'delegate', 'approval', 'provider', 'workspace', 'spend'] as const)(
    'is released by a goal that begins to wait for: %s',
    (on) => expect(released(running, waiting(on), true)).toBe('unless_rewinding'),
  );

  test('is left to a poll while the goal goes on waiting as the model asked', () => {
    const wait = waiting('condition');
    expect(released(wait, wait, false)).toBe('no');
    expect(released(wait, chartAfter(wait, { type: 'goal.cleared' }), false)).toBe('always');
    expect(released(waiting('approval'), waiting('approval'), false)).toBe('unless_rewinding');
  });

  test('counts a poll as a write only where the wait that the model asked for ends', () => {
    const wait = waiting('timer');
    const leaves = (before: ChartSnapshot, next: ChartSnapshot) =>
      followUpsOf(before, next, false).leavesRequestedWait;
    expect(leaves(wait, chartAfter(wait, { type: 'wait.ended' }))).toBe(true);
    expect(leaves(wait, chartAfter(wait, { type: 'goal.cleared' }))).toBe(true);
    expect(leaves(wait, wait)).toBe(false);
    expect(leaves(waiting('delegate'), running)).toBe(false);
  });

  test('is no longer queued for by a goal that takes no more steps', () => {
    expect(followUpsOf(running, waiting('workspace'), true).leavesQueue).toBe(false);
    expect(followUpsOf(running, paused(), true).leavesQueue).toBe(true);
  });
});

describe('open approvals after a revision', () => {
  const superseded = (before: ChartSnapshot, next: ChartSnapshot) =>
    followUpsOf(before, next, false).superseded;

  test('stay where the goal still stands at them', () => {
    expect(superseded(waiting('approval', ['a-1']), waiting('approval', ['a-1']))).toBeNull();
    expect(superseded(running, waiting('approval', ['a-1']))).toBeNull();
    expect(superseded(running, running)).toBeNull();
  });

  test('are superseded where the goal went on, except for proposals', () => {
    expect(superseded(waiting('approval', ['a-1', 'a-2']), running)).toEqual({
      kept: [],
      includesProposals: false,
    });
    expect(superseded(paused('a-1'), paused('a-2'))).toEqual({
      kept: ['a-2'],
      includesProposals: false,
    });
  });

  test.each([
    ['complete', complete],
    ['cleared', cleared],
  ])('are all superseded, proposals too, once the goal is %s', (_, over) => {
    expect(superseded(running, over)).toEqual({ kept: [], includesProposals: true });
  });
});

describe('the delegates after a revision', () => {
  test('are told only what changed', () => {
    expect(followUpsOf(running, paused(), false).wanted).toBe('paused');
    expect(followUpsOf(paused(), running, false).wanted).toBe('running');
    expect(followUpsOf(running, complete, false).wanted).toBe('stopped');
    expect(followUpsOf(running, waiting('timer'), false).wanted).toBeNull();
  });

  test('a delegate that ended is closed and its parent is told; another goal is left as it is', () => {
    const lost = chartAfter(running, {
      type: 'execution.lost',
      pause: { reason: 'recovery', message: 'gone', missing: [], since: NOW },
    });
    const closed = closeRevision(lost, true);
    expect([closed.end?.kind, closed.chart.context.isArchived]).toEqual(['lost', true]);
    expect(closeRevision(lost, false)).toEqual({ chart: lost, end: null });
    expect(closeRevision(running, true)).toEqual({ chart: running, end: null });
  });
});
