import { describe, expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot, GoalState, Wait } from '../../../src/contract/goal-state.ts';
import { applyWait, canTake, initialChart, step } from '../../../src/goal/chart/machine.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const chartAfter = (...events: GoalEvent[]): ChartSnapshot => events.reduce(step, initialChart());
const waitFor = (on: Wait['on'], more: Partial<Wait> = {}): Wait => ({
  on,
  reason: 'r',
  since: NOW,
  until: null,
  ...more,
});
const waiting = (on: Wait['on'], more: Partial<Wait> = {}): ChartSnapshot =>
  chartAfter({ type: 'turn.waits', wait: waitFor(on, more), next: 'wake' });
const pause: Pause = { reason: 'person', message: 'm', missing: [], since: NOW };
const limit = { name: 'tokens', used: '35', allowed: '25' } as const;
const amended = (more: object = {}) => ({ type: 'goal.amended', limit: null, ...more }) as const;

describe('an amendment', () => {
  const asked = waiting('approval', { approvalIds: ['a-1'] });

  test('leaves a claim behind that waits for a person, where it changes the criteria', () => {
    const left = step(asked, amended({ changesCriteria: true }));
    expect(left.value).toEqual({ active: 'running' });
    expect(left.context).toMatchObject({ wait: null, next: 'resume' });
  });

  test('that changes no criteria leaves the person asked', () => {
    expect(step(asked, amended())).toEqual(asked);
    expect(step(asked, amended({ changesCriteria: false }))).toEqual(asked);
  });

  test.each(['timer', 'provider', 'delegate'] as const)(
    'of the criteria does not end a wait for a %s, which rests on no claim',
    (on) => {
      const here = waiting(on);
      expect(step(here, amended({ changesCriteria: true }))).toEqual(here);
    },
  );

  test.each(['timer', 'approval', 'delegate'] as const)(
    'of the model does not end a wait for a %s, which no model shortens',
    (on) => {
      const here = waiting(on);
      expect(step(here, amended({ changesModel: true })).value).toEqual({ active: 'waiting' });
    },
  );

  test('takes a claim off the table that the goal is paused for, and only such a one', () => {
    const claimed: Pause = { ...pause, reason: 'unverified_claim', approvalId: 'a-1' };
    const left = step(
      chartAfter({ type: 'turn.paused', pause: claimed }),
      amended({ changesCriteria: true }),
    );
    expect(left).toMatchObject({ value: 'paused', context: { pause: { reason: claimed.reason } } });
    expect(left.context.pause).not.toHaveProperty('approvalId');
    const effect = chartAfter({
      type: 'turn.paused',
      pause: { ...claimed, reason: 'question' },
    });
    expect(step(effect, amended({ changesCriteria: true }))).toEqual(effect);
  });
});

describe('the model that stands in', () => {
  const fallback = { since: NOW, until: NOW, reason: 'overload: no' };
  const fallen = step(waiting('provider'), { type: 'model.fell_back', fallback });

  test('stays where an amendment names no other model', () => {
    expect(step(fallen, amended()).context.fallback).toEqual(fallback);
    expect(step(fallen, amended({ changesModel: true })).context.fallback).toBeNull();
  });
});

describe('a wait of the workflow, in the middle of a turn', () => {
  const granted = chartAfter(
    { type: 'turn.paused', pause },
    { type: 'claim.granted', claim: 't1.s1.0' },
  );
  const state = (chart: ChartSnapshot) => ({ chart }) as GoalState;

  test('keeps what the turn is about, and the turn goes on with it', () => {
    const held = applyWait(state(granted), waitFor('workspace'));
    expect(held.value).toEqual({ active: 'waiting' });
    expect(held.context).toMatchObject({ next: 'wake', claim: 't1.s1.0' });
    expect(applyWait(state(held), null)).toEqual(granted);
  });

  test('of a settled turn drops the claim, because a new turn follows', () => {
    const waits = step(granted, { type: 'turn.waits', wait: waitFor('timer'), next: 'wake' });
    expect(waits.context.claim).toBeNull();
  });
});

describe('a rewind', () => {
  const rewound = { type: 'goal.rewound', pause } as const;
  const wrapping = chartAfter({ type: 'turn.limited', limit });
  const stopped = step(wrapping, { type: 'turn.limited', limit });

  test('leaves a goal that a limit stopped where it is: only its budget leads back', () => {
    expect(step(stopped, rewound)).toEqual(stopped);
  });

  test.each([
    ['wraps up', wrapping],
    ['runs', chartAfter()],
    ['is complete', chartAfter({ type: 'turn.completed' })],
  ])('is refused by a goal that %s', (_, chart) => {
    expect(canTake(chart, rewound)).toBe(false);
  });
});
