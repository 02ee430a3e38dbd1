import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { ChartSnapshot, Wait } from '../../../src/contract/goal-state.ts';
import type { LimitReached } from '../../../src/contract/turn-facts.ts';
import { canTake, initialChart, isWrappingUp, step } from '../../../src/goal/chart/machine.ts';
import { activityOf, isOpen, statusOf } from '../../../src/goal/chart/view.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
const limit: LimitReached = { name: 'tokens', used: '35', allowed: '25' };
const otherLimit: LimitReached = { name: 'turns', used: '5', allowed: '5' };
const wait: Wait = { on: 'provider', reason: 'rate limit', since: NOW, until: NOW };

const chartAfter = (...events: GoalEvent[]): ChartSnapshot => events.reduce(step, initialChart());

const limited = chartAfter({ type: 'turn.limited', limit });
const stopped = step(limited, { type: 'turn.limited', limit });

describe('the chart', () => {
  test('a new goal runs and its first turn is a start', () => {
    expect(initialChart().value).toEqual({ active: 'running' });
    expect(initialChart().context.next).toBe('start');
  });

  test('M7 a used-up budget leads to one wrap-up and then stops', () => {
    expect(limited.value).toEqual({ budget_limited: 'wrapping_up' });
    expect(limited.context.next).toBe('wrap_up');
    expect(isOpen(limited)).toBe(true);
    expect(stopped.value).toEqual({ budget_limited: 'stopped' });
    expect(isOpen(stopped)).toBe(false);
  });

  test('M9 a limited goal stays limited when the change of its budget is too small', () => {
    const still = step(stopped, { type: 'goal.amended', limit: otherLimit });
    expect(statusOf(still)).toBe('budget_limited');
    expect(still.context.limit).toEqual(otherLimit);
  });

  test('M9 resuming over budget leads to budget_limited, not to active', () => {
    const paused = chartAfter({ type: 'goal.paused', pause });
    const resumed = step(paused, { type: 'goal.resumed', limit, next: 'resume' });
    expect(statusOf(resumed)).toBe('budget_limited');
  });

  test('M10 a limited goal cannot be paused', () => {
    expect(canTake(stopped, { type: 'goal.paused', pause })).toBe(false);
    expect(canTake(limited, { type: 'goal.paused', pause })).toBe(false);
  });

  test('M15 a limit gets one wrap-up; raised and reached again it gets one more', () => {
    const raised = step(stopped, { type: 'goal.amended', limit: null });
    expect(raised.value).toEqual({ active: 'running' });
    const again = step(raised, { type: 'turn.limited', limit });
    expect(again.value).toEqual({ budget_limited: 'wrapping_up' });
  });

  test('M15 a limit that was wrapped up and not raised gets no second wrap-up', () => {
    const paused: ChartSnapshot = {
      value: 'paused',
      context: { ...initialChart().context, pause, wrappedUp: ['tokens'] },
    };
    const resumed = step(paused, { type: 'goal.resumed', limit, next: 'resume' });
    expect(resumed.value).toEqual({ budget_limited: 'stopped' });
  });

  test('M8 lowering a budget below its use limits an active goal at once', () => {
    expect(statusOf(chartAfter({ type: 'goal.amended', limit }))).toBe('budget_limited');
  });

  test('M20 a message ends a wait and opens a turn that answers it', () => {
    const waiting = chartAfter({ type: 'wait.began', wait });
    const messaged = step(waiting, { type: 'goal.messaged', limit: null, next: 'message' });
    expect(messaged.value).toEqual({ active: 'running' });
    expect(messaged.context).toMatchObject({ next: 'message', wait: null });
  });

  test('a lost execution pauses a running goal for recovery and stops one that wraps up', () => {
    const recovery: Pause = { ...pause, reason: 'recovery' };
    const lost = chartAfter({ type: 'execution.lost', pause: recovery });
    expect(lost.context.pause?.reason).toBe('recovery');
    expect(step(limited, { type: 'execution.lost', pause: recovery }).value).toEqual({
      budget_limited: 'stopped',
    });
  });

  test('a turn that settles after a person paused changes nothing', () => {
    const paused = chartAfter({ type: 'goal.paused', pause });
    expect(step(paused, { type: 'turn.held' })).toEqual(paused);
  });

  test('an event that a state does not name is refused and never ignored', () => {
    const paused = chartAfter({ type: 'goal.paused', pause });
    expect(canTake(paused, { type: 'goal.paused', pause })).toBe(false);
    expect(() => step(paused, { type: 'turn.continued', next: 'nudge' })).toThrow(/cannot take/);
  });

  test('who acts next is told for every reason to stand still', () => {
    expect(activityOf(chartAfter({ type: 'wait.began', wait }), NOW).actor).toBe('Provider');
    expect(activityOf(chartAfter({ type: 'goal.paused', pause }), NOW).actor).toBe('You');
    expect(activityOf(stopped, NOW)).toMatchObject({ actor: 'You', state: 'idle' });
    expect(activityOf(initialChart(), NOW).actor).toBe('Agent');
  });
});

const events: fc.Arbitrary<GoalEvent> = fc.constantFrom<GoalEvent>(
  { type: 'turn.continued', next: 'nudge' },
  { type: 'turn.waits', wait, next: 'wake' },
  { type: 'turn.paused', pause },
  { type: 'turn.limited', limit },
  { type: 'turn.limited', limit: otherLimit },
  { type: 'turn.completed' },
  { type: 'turn.held' },
  { type: 'wait.began', wait },
  { type: 'wait.ended' },
  { type: 'goal.paused', pause },
  { type: 'goal.resumed', limit: null, next: 'resume' },
  { type: 'goal.resumed', limit, next: 'resume' },
  { type: 'goal.messaged', limit: null, next: 'message' },
  { type: 'goal.answered', limit: null, next: 'answer' },
  { type: 'goal.amended', limit: null },
  { type: 'goal.amended', limit },
  { type: 'goal.completed' },
  { type: 'claim.declined', limit: null },
  { type: 'goal.cleared' },
  { type: 'execution.lost', pause },
  { type: 'claim.granted', claim: 't1.s1.0' },
  { type: 'goal.rewound', pause },
  { type: 'limit.passed', limit: otherLimit },
  { type: 'goal.amended', limit: null, changesCriteria: true, changesModel: true },
  { type: 'model.fell_back', fallback: { since: NOW, until: NOW, reason: 'away' } },
  { type: 'fallback.ended' },
  { type: 'chain.set', chain: { startedAt: NOW, length: 1, tokensAtStart: 0 } },
  { type: 'chain.cancelled' },
);

describe('every sequence of events', () => {
  const walk = (sequence: readonly GoalEvent[]): ChartSnapshot[] => {
    const path = [initialChart()];
    for (const event of sequence) {
      const here = path.at(-1) ?? initialChart();
      if (canTake(here, event)) path.push(step(here, event));
    }
    return path;
  };

  test('keeps each state together with the data that explains it', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        for (const { value, context } of walk(sequence)) {
          expect(context.pause !== null).toBe(value === 'paused');
          const isLimited = typeof value === 'object' && 'budget_limited' in value;
          expect(context.limit !== null).toBe(isLimited);
          if (typeof value === 'object' && 'active' in value) {
            expect(context.wait !== null).toBe(value.active === 'waiting');
          }
        }
      }),
    );
  });

  test('M15 wraps a limit up once, until it is raised or a person resumes the goal', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        const path = walk(sequence);
        for (const [index, after] of path.entries()) {
          const before = path[index - 1];
          if (before === undefined || isWrappingUp(before) || !isWrappingUp(after)) continue;
          expect(before.context.wrappedUp).not.toContain(after.context.limit?.name);
          expect(after.context.wrappedUp).toContain(after.context.limit?.name);
        }
      }),
    );
  });

  test('moves no state by what changes the row of wakes or ends a fallback', () => {
    const quiet = ['chain.set', 'chain.cancelled', 'fallback.ended'] as const;
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (sequence) => {
        const here = walk(sequence).at(-1) ?? initialChart();
        for (const type of quiet) {
          const event: GoalEvent = type === 'chain.set' ? { type, chain: null } : { type };
          expect(step(here, event).value).toEqual(here.value);
        }
        const { generation = 0 } = here.context;
        expect(step(here, { type: 'chain.cancelled' }).context).toMatchObject({
          chain: null,
          generation: generation + 1,
        });
      }),
    );
  });

  test('is refused aloud where a state does not take it', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), events, (sequence, event) => {
        const here = walk(sequence).at(-1) ?? initialChart();
        if (!canTake(here, event)) expect(() => step(here, event)).toThrow(/cannot take/);
      }),
    );
  });

  test('never leaves complete', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        const statuses = walk(sequence).map(statusOf);
        const first = statuses.indexOf('complete');
        if (first >= 0) expect(new Set(statuses.slice(first))).toEqual(new Set(['complete']));
      }),
    );
  });

  test('survives being stored and restored at every step', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (sequence) => {
        const stored = sequence.reduce<ChartSnapshot>((here, event) => {
          const copy = JSON.parse(JSON.stringify(here)) as ChartSnapshot;
          return canTake(copy, event) ? step(copy, event) : copy;
        }, initialChart());
        expect(stored).toEqual(walk(sequence).at(-1));
      }),
    );
  });
});

const MADE = /\bcontext:\s*\{\s*\.\.\./;

test('nothing but the chart makes a context of another one', () => {
  expect('{ ...chart, context: { ...chart.context, chain } }').toMatch(MADE);
  const makers = ['src', 'workflows', 'activities']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts') && MADE.test(readFileSync(file, 'utf8')));
  expect(makers).toEqual([]);
});
