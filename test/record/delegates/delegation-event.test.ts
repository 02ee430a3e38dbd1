import { describe, expect, test } from 'vitest';
import { type Pause, waitOnSchema } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot } from '../../../src/contract/goal-state.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { canTake, initialChart, step } from '../../../src/goal/chart/machine.ts';
import { isWaiting, statusOf } from '../../../src/goal/chart/view.ts';
import {
  type DelegationFacts,
  delegationEvent,
} from '../../../src/record/delegates/delegation-event.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
const limit = { name: 'tokens', used: '11', allowed: '10' } as const;
const budget = { tokens: 10, costUsd: null, turns: null, activeSeconds: null, deadline: null };
const overspent = { ...noUsage, tokens: 11 };

const after = (...events: GoalEvent[]): ChartSnapshot => events.reduce(step, initialChart());
const wrappingUp = after({ type: 'turn.limited', limit });

const waits = waitOnSchema.options.map((on) => {
  const wait = { on, reason: 'a test', since: NOW, until: null };
  return { name: `waiting for: ${on}`, chart: after({ type: 'wait.began', wait }), on };
});

const charts: readonly { name: string; chart: ChartSnapshot; on?: string }[] = [
  { name: 'running', chart: initialChart() },
  ...waits,
  { name: 'paused', chart: after({ type: 'goal.paused', pause }) },
  { name: 'wrapping up', chart: wrappingUp },
  { name: 'limited', chart: step(wrappingUp, { type: 'turn.limited', limit }) },
  { name: 'complete', chart: after({ type: 'goal.completed' }) },
  { name: 'cleared', chart: after({ type: 'goal.cleared' }) },
];

type Case = DelegationFacts & { readonly on?: string | undefined };

const flags = [true, false];
const wishes: readonly DelegationFacts['wish'][] = [
  null,
  ...(['running', 'paused', 'stopped'] as const).flatMap((wanted) =>
    flags.map((isHeldByParent) => ({ wanted, isHeldByParent })),
  ),
];

/** Every wish, held or not, in every state, with and without a result and budget left. */
const cases: readonly Case[] = charts.flatMap(({ chart, on }) =>
  wishes.flatMap((wish) =>
    flags.flatMap((hasWakingResult) =>
      flags.flatMap((isTurnOpen) =>
        [noUsage, overspent].map((usage) => ({
          state: { chart, budget, isTurnOpen },
          usage,
          wish,
          hasWakingResult,
          now: NOW,
          on,
        })),
      ),
    ),
  ),
);

const chartOf = ({ state }: Case) => state.chart;
const typeOf = (one: Case) => delegationEvent(one)?.event.type ?? null;

/** Runs the assertion on each case that fits, and fails where none does. */
function forEach(fits: (one: Case) => boolean, check: (one: Case) => void) {
  const those = cases.filter(fits);
  expect(those.length).toBeGreaterThan(0);
  for (const one of those) check(one);
}

describe('what a parent wishes of its delegate', () => {
  test('to stop clears it in every state', () => {
    forEach(
      ({ wish }) => wish?.wanted === 'stopped',
      (one) => expect(delegationEvent(one)).toEqual({ event: { type: 'goal.cleared' } }),
    );
  });

  test('to pause pauses it while it is active, whatever it waits for, and holds it', () => {
    forEach(
      (one) => one.wish?.wanted === 'paused' && statusOf(chartOf(one)) === 'active',
      (one) => {
        const { event, isHeldByParent } = delegationEvent(one) ?? {};
        expect([event?.type, isHeldByParent]).toEqual(['goal.paused', true]);
      },
    );
  });

  test('to pause changes nothing where it is not active', () => {
    forEach(
      (one) => one.wish?.wanted === 'paused' && statusOf(chartOf(one)) !== 'active',
      (one) => expect(typeOf(one)).toBeNull(),
    );
  });

  test('to run resumes it where its parent paused it, and lets go of it', () => {
    const isPausedByParent = ({ wish, state }: Case) =>
      wish?.wanted === 'running' && wish.isHeldByParent && state.chart.value === 'paused';
    forEach(isPausedByParent, (one) => {
      const isOver = one.usage === overspent;
      expect(delegationEvent(one)).toEqual({
        event: {
          type: 'goal.resumed',
          limit: isOver ? limit : null,
          next: one.state.isTurnOpen ? one.state.chart.context.next : 'resume',
        },
        isHeldByParent: false,
      });
    });
  });

  test("to run leaves a person's own pause alone", () => {
    forEach(
      ({ wish, state }) =>
        wish?.wanted === 'running' && !wish.isHeldByParent && state.chart.value === 'paused',
      (one) => expect(typeOf(one)).toBeNull(),
    );
  });

  test('is followed once: the state it leads to asks for nothing more', () => {
    forEach(
      ({ wish, hasWakingResult }) => wish?.wanted !== 'stopped' && !hasWakingResult,
      (one) => {
        const change = delegationEvent(one);
        if (change === null) return;
        const chart = step(chartOf(one), change.event);
        const isHeldByParent = change.isHeldByParent ?? one.wish?.isHeldByParent ?? false;
        const wish = one.wish && { ...one.wish, isHeldByParent };
        expect(typeOf({ ...one, state: { ...one.state, chart }, wish })).toBeNull();
      },
    );
  });
});

describe("a delegate's result", () => {
  const mayHear = ({ wish }: Case) => wish === null || wish.wanted === 'running';

  test.each(waits)('ends the state "$name" only where something may happen', ({ on, chart }) => {
    const isEnded = on === 'delegate' || on === 'timer' || on === 'condition';
    forEach(
      (one) => one.state.chart === chart && one.hasWakingResult && mayHear(one),
      (one) => {
        const ends = one.usage === overspent ? 'limit.passed' : 'wait.ended';
        expect(typeOf(one)).toBe(isEnded ? ends : null);
      },
    );
  });

  test('changes nothing in a goal that does not wait', () => {
    const isHeld = ({ wish, state }: Case) =>
      wish?.isHeldByParent === true && state.chart.value === 'paused';
    forEach(
      (one) => !isWaiting(chartOf(one)) && mayHear(one) && !isHeld(one),
      (one) => expect(typeOf(one)).toBeNull(),
    );
  });

  test('that is not there ends no wait', () => {
    forEach(
      (one) => isWaiting(chartOf(one)) && mayHear(one) && !one.hasWakingResult,
      (one) => expect(typeOf(one)).toBeNull(),
    );
  });
});

test('the chart can take every event that is given', () => {
  forEach(
    (one) => delegationEvent(one) !== null,
    (one) => {
      const event = delegationEvent(one)?.event;
      expect(event && canTake(chartOf(one), event)).toBe(true);
    },
  );
});
