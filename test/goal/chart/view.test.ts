import { describe, expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot, Wait } from '../../../src/contract/goal-state.ts';
import { initialChart, isWrappingUp, step } from '../../../src/goal/chart/machine.ts';
import { activityOf, isOpen, isWaiting, pauseOf, statusOf } from '../../../src/goal/chart/view.ts';
import { unservedActivity } from '../../../src/record/status/unserved.ts';

const SINCE = '2026-01-01T00:00:00.000Z';
const UNTIL = '2026-01-01T01:00:00.000Z';
const NOW = '2026-01-01T00:30:00.000Z';

const chartAfter = (...events: GoalEvent[]): ChartSnapshot => events.reduce(step, initialChart());
const limit = { name: 'tokens', used: '35', allowed: '25' } as const;
const pause: Pause = { reason: 'question', message: 'x', missing: [], since: SINCE };
const wait: Wait = { on: 'timer', reason: 'CI runs', since: SINCE, until: UNTIL };
const cleared = { type: 'goal.cleared' } as const;

const charts = {
  running: chartAfter(),
  waiting: chartAfter({ type: 'wait.began', wait }),
  paused: chartAfter({ type: 'turn.paused', pause }),
  'wrapping up': chartAfter({ type: 'turn.limited', limit }),
  stopped: chartAfter({ type: 'turn.limited', limit }, { type: 'turn.limited', limit }),
  complete: chartAfter({ type: 'turn.completed' }),
};
type Name = keyof typeof charts;
const names = Object.keys(charts) as Name[];
const those = (holds: (chart: ChartSnapshot) => boolean): Name[] =>
  names.filter((name) => holds(charts[name]));

describe('of the states a goal can be in', () => {
  test('steps and calls begin in those that a turn runs in, and in none once it was cleared', () => {
    expect(those(isOpen)).toEqual(['running', 'waiting', 'wrapping up']);
    expect(those((chart) => isOpen(step(chart, cleared)))).toEqual([]);
  });

  test('one waits, one is paused and one wraps up', () => {
    expect(those(isWaiting)).toEqual(['waiting']);
    expect(those((chart) => pauseOf(chart) !== null)).toEqual(['paused']);
    expect(those(isWrappingUp)).toEqual(['wrapping up']);
  });

  test('each has its status', () => {
    expect(names.map((name) => statusOf(charts[name]))).toEqual([
      'active',
      'active',
      'paused',
      'budget_limited',
      'budget_limited',
      'complete',
    ]);
  });
});

describe('what a goal does now, and who acts next', () => {
  test.each<[string, ChartSnapshot, object]>([
    [
      'it runs its turn',
      charts.running,
      { state: 'running', reason: 'turn: start', since: NOW, actor: 'Agent' },
    ],
    [
      'it waits until a time',
      charts.waiting,
      {
        state: 'waiting',
        on: 'timer',
        reason: 'CI runs',
        since: SINCE,
        until: UNTIL,
        actor: 'Clock',
      },
    ],
    [
      'it waits for as long as it takes',
      chartAfter({ type: 'wait.began', wait: { ...wait, on: 'approval', until: null } }),
      { state: 'waiting', on: 'approval', reason: 'CI runs', since: SINCE, actor: 'You' },
    ],
    [
      'it is paused',
      charts.paused,
      { state: 'idle', reason: 'asks you', since: SINCE, actor: 'You' },
    ],
    [
      'it is paused until its default answer holds',
      chartAfter({ type: 'turn.paused', pause: { ...pause, until: UNTIL } }),
      { state: 'idle', reason: 'asks you', since: SINCE, until: UNTIL, actor: 'You' },
    ],
    [
      'it wraps up',
      charts['wrapping up'],
      { state: 'running', reason: 'turn: wrap_up', since: NOW, actor: 'Agent' },
    ],
    [
      'a limit stopped it',
      charts.stopped,
      { state: 'idle', reason: 'tokens: used 35 of 25', since: NOW, actor: 'You' },
    ],
    [
      'it is complete',
      charts.complete,
      { state: 'idle', reason: 'complete', since: NOW, actor: 'Agent' },
    ],
    [
      'it was cleared while it ran',
      step(charts.running, cleared),
      { state: 'idle', reason: 'cleared', since: NOW, actor: 'Agent' },
    ],
  ])('where %s', (_, chart, activity) => {
    expect(activityOf(chart, NOW)).toStrictEqual(activity);
  });

  test('without a worker for its host it waits for one', () => {
    expect(unservedActivity('build-1', SINCE)).toEqual({
      state: 'waiting',
      on: 'worker',
      reason: 'no worker serves build-1',
      since: SINCE,
      actor: 'Worker',
    });
  });
});
