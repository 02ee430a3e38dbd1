import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideDue,
  MOST_AT_ONCE,
  type StandingSchedule,
} from '../../../src/record/schedules/decide-due.ts';
import { dueTimes } from '../../../src/record/schedules/due-times.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

const standing = (more: Partial<StandingSchedule> = {}): StandingSchedule => ({
  when: { everySeconds: 60 },
  madeAt: at(0),
  overlap: 'allow',
  catchUp: 'all',
  catchUpSeconds: 3600,
  cursor: at(0),
  isBusy: false,
  hasWaiting: false,
  ...more,
});

const states = (more: Partial<StandingSchedule>, now: number) =>
  decideDue(standing(more), at(now)).runs.map(({ state, count }) =>
    count === 1 ? state : `${state} ${count}`,
  );

const anyStanding = fc.record({
  overlap: fc.constantFrom('skip', 'queue', 'allow'),
  catchUp: fc.constantFrom('none', 'last', 'all'),
  catchUpSeconds: fc.integer({ min: 60, max: 100_000 }),
  isBusy: fc.boolean(),
  hasWaiting: fc.boolean(),
}) as fc.Arbitrary<Partial<StandingSchedule>>;

test('SCHED-2 whenever anybody looks, each due time is decided once and none is left out', () => {
  fc.assert(
    fc.property(
      anyStanding,
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 8 }),
      (more, pauses) => {
        let cursor = at(0);
        let now = 0;
        const seen: { dueAt: string; count: number }[] = [];
        for (const pause of pauses) {
          now += pause;
          for (let hasMore = true; hasMore; ) {
            const decided = decideDue(standing({ ...more, cursor }), at(now));
            seen.push(...decided.runs);
            ({ cursor, hasMore } = decided);
          }
        }
        const due = dueTimes(standing(), at(0), at(now), 100_000);
        expect(seen.reduce((sum, { count }) => sum + count, 0)).toBe(due.length);
        expect(new Set(seen.map(({ dueAt }) => dueAt)).size).toBe(seen.length);
        expect(seen.every(({ dueAt }) => due.includes(dueAt))).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

test('SCHED-2 one look decides no more than it can hold a lock for', () => {
  const decided = decideDue(standing(), at(60 * (MOST_AT_ONCE + 50)));
  expect(decided.hasMore).toBe(true);
  expect(decided.runs.reduce((sum, { count }) => sum + count, 0)).toBe(MOST_AT_ONCE);
});

describe('SCHED-4 what is made up after a time without a service', () => {
  test.each([
    ['all', ['due', 'due', 'due', 'due', 'due']],
    ['last', ['missed 4', 'due']],
    ['none', ['missed 4', 'due']],
  ] as const)('with %s', (catchUp, expected) => {
    expect(states({ catchUp }, 330)).toEqual(expected);
  });

  test('with none, nothing is made up that is older than a minute', () => {
    const hourly = { when: { everySeconds: 3600 }, catchUp: 'none' } as const;
    expect(states(hourly, 3600 + 50)).toEqual(['due']);
    expect(states(hourly, 3600 + 70)).toEqual(['missed']);
  });

  test.each(['all', 'last'] as const)(
    'with %s, nothing that is older than its window',
    (catchUp) => {
      const daily = { when: { everySeconds: 86_400 }, catchUp, catchUpSeconds: 3600 };
      expect(states(daily, 86_400 + 3500)).toEqual(['due']);
      expect(states(daily, 86_400 + 3700)).toEqual(['missed']);
    },
  );
});

describe('SCHED-5 while what it began is not over', () => {
  test.each([
    ['skip', { isBusy: true }, ['skipped', 'skipped']],
    ['skip', {}, ['due', 'skipped']],
    ['queue', { isBusy: true }, ['waiting', 'skipped']],
    ['queue', { isBusy: true, hasWaiting: true }, ['skipped', 'skipped']],
    ['queue', {}, ['due', 'waiting']],
    ['allow', { isBusy: true }, ['due', 'due']],
  ] as const)('%s with %j decides %j', (overlap, more, expected) => {
    expect(states({ overlap, ...more }, 120)).toEqual(expected);
  });
});
