import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronProblem } from '../../../schema/cadence.ts';
import { dueTimes, nextDue, type Timed } from '../../../src/record/schedules/due-times.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const zone = fc.constantFrom(...ZONES);
const MADE_AT = '2020-01-01T00:00:00.000Z';
const cronOf = (cron: string, timeZone = 'UTC'): Timed => ({
  when: { cron, timeZone },
  madeAt: MADE_AT,
});
const moment = fc
  .integer({ min: Date.parse('2020-01-01T00:00:00Z'), max: Date.parse('2035-01-01T00:00:00Z') })
  .map((at) => new Date(at).toISOString());

/** The wall clock of a zone: day, hour and minute. */
function wall(at: string, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  } as Intl.DateTimeFormatOptions);
  const part = Object.fromEntries(format.formatToParts(new Date(at)).map((p) => [p.type, p.value]));
  return { day: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` };
}

const two = (value: number) => String(value).padStart(2, '0');
const DAY_MS = 86_400_000;

describe('a fixed time of each day', () => {
  test('SCHED-1 comes once on every day, also when the clocks change', () => {
    fc.assert(
      fc.property(
        zone,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        moment,
        (timeZone, hour, minute, from) => {
          const until = new Date(Date.parse(from) + 40 * DAY_MS).toISOString();
          const found = dueTimes(cronOf(`${minute} ${hour} * * *`, timeZone), from, until, 100);
          const days = found.map((at) => wall(at, timeZone).day);
          expect(new Set(days).size).toBe(days.length);
          expect(days.length).toBeGreaterThanOrEqual(39);
          expect(days.length).toBeLessThanOrEqual(41);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('SCHED-1 is that time on the wall, or the first moment after one that the clocks leave out', () => {
    fc.assert(
      fc.property(
        zone,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        moment,
        (timeZone, hour, minute, from) => {
          const at = nextDue(cronOf(`${minute} ${hour} * * *`, timeZone), from) as string;
          const wanted = `${two(hour)}:${two(minute)}`;
          if (wall(at, timeZone).time === wanted) return;
          const before = wall(new Date(Date.parse(at) - 60_000).toISOString(), timeZone);
          const after = wall(at, timeZone);
          // The clocks went over it between this minute and the one before.
          expect(before.time < wanted && wanted < after.time).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    [
      'a time that is left out',
      '30 2 * * *',
      '2026-03-28T12:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'a time that is repeated',
      '30 2 * * *',
      '2026-10-24T12:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
    ],
  ])('SCHED-1 in Berlin, %s comes once', (_, cron, from, due) => {
    const timed = cronOf(cron, 'Europe/Berlin');
    expect(nextDue(timed, from)).toBe(due);
    expect(Date.parse(nextDue(timed, due) ?? '') - Date.parse(due)).toBeGreaterThan(20 * 3_600_000);
  });
});

test('SCHED-1 what comes every so many minutes comes through both repeated hours, and skips none that is there', () => {
  const half = cronOf('*/30 * * * *', 'Europe/Berlin');
  const autumn = dueTimes(half, '2026-10-25T00:00:00.000Z', '2026-10-25T03:00:00.000Z', 20);
  expect(autumn.map((at) => at.slice(11, 16))).toEqual([
    ...['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
  ]);
  const spring = dueTimes(half, '2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z', 20);
  expect(spring.map((at) => at.slice(11, 16))).toEqual(['00:30', '01:00', '01:30', '02:00']);
});

const anyCron = fc
  .tuple(
    fc.oneof(fc.constant('*'), fc.constant('*/7'), fc.integer({ min: 0, max: 59 }).map(String)),
    fc.oneof(fc.constant('*'), fc.constant('*/5'), fc.integer({ min: 0, max: 23 }).map(String)),
    fc.oneof(fc.constant('*'), fc.integer({ min: 1, max: 28 }).map(String)),
    fc.oneof(fc.constant('*'), fc.integer({ min: 1, max: 12 }).map(String)),
    fc.oneof(fc.constant('*'), fc.constant('MON-FRI'), fc.integer({ min: 0, max: 7 }).map(String)),
  )
  .map((fields) => fields.join(' '));

const anyTimed = fc.oneof(
  fc.tuple(anyCron, zone).map(([cron, timeZone]) => cronOf(cron, timeZone)),
  fc
    .integer({ min: 60, max: 400_000 })
    .map((everySeconds): Timed => ({ when: { everySeconds }, madeAt: MADE_AT })),
);

test('SCHED-2 due times rise, and looking often finds the same ones as looking once', () => {
  fc.assert(
    fc.property(
      anyTimed,
      moment,
      fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 6 }),
      (timed, from, steps) => {
        const at = (seconds: number) => new Date(Date.parse(from) + seconds * 1000).toISOString();
        const ends = steps.map((_, index) =>
          at(steps.slice(0, index + 1).reduce((sum, step) => sum + step, 0)),
        );
        const end = ends.at(-1) ?? from;
        const once = dueTimes(timed, from, end, 10_000);
        expect([...once].sort()).toEqual(once);
        expect(new Set(once).size).toBe(once.length);
        const often = ends.flatMap((until, index) =>
          dueTimes(timed, ends[index - 1] ?? from, until, 10_000),
        );
        expect(often).toEqual(once);
      },
    ),
    { numRuns: 80 },
  );
});

describe('what is no cron expression', () => {
  test.each([
    ['', 'five fields'],
    ['* * * *', 'five fields'],
    ['* * * * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['61 * * * *', '61 is no minute'],
    ['* 24 * * *', '24 is no hour'],
    ['* * 0 * *', '0 is no day of a month'],
    ['* * * 13 *', '13 is no month'],
    ['5/15 * * * *', '5/15 is no minute'],
    ['0 0 L * *', 'L is no field'],
    ['0 0 * * 5#2', '5#2'],
    ['0 0 15W * *', '15W'],
    ['0 0 ? * *', '?'],
    ['0 0 31 2 *', 'no day'],
    ['0 0 * * FRI-MON', 'FRI-MON is no weekday'],
    ['a b c d e', 'a is no field'],
    ['- - - - -', '- is no minute'],
    ['*/0 * * * *', '*/0 is no minute'],
    [`${'1,'.repeat(90)}1 * * * *x`, '*x is no field'],
  ])('SCHED-3 %j is refused, and why is said', (text, why) => {
    expect(cronProblem(text)).toContain(why);
  });

  test.each([
    '0 6 * * 1',
    '*/15 8-18 * * MON-FRI',
    '30 2 1 JAN *',
    '0 0 29 2 *',
    '0  0 *  * 7',
    '0\t6 * * 1',
    '0,30 0-6/2 1,15 */3 sun',
  ])('SCHED-3 %j is taken', (text) => {
    expect(cronProblem(text)).toBeNull();
  });
});
