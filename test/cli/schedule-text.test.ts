import { expect, test } from 'vitest';
import type { Schedule } from '../../schema/schedule.ts';
import { scheduleLine, scheduleText } from '../../src/cli/schedule-text.ts';

const schedule: Schedule = {
  ...{ scheduleId: 'sc-0123456789abcdef', name: 'weekly', workspace: 'shop' },
  ...{ when: { cron: '0 6 * * 1', timeZone: 'Europe/Berlin' }, overlap: 'skip' },
  ...{ catchUp: 'last', catchUpSeconds: 86_400, owner: 'ada', role: 'operator' },
  start: { objective: 'Update the dependencies' },
  createdAt: '2026-11-24T12:00:00.000Z',
  revision: 1,
  nextDueAt: '2026-11-30T05:00:00.000Z',
  runs: [
    { dueAt: '2026-11-23T05:00:00.000Z', state: 'started', goalId: 'g-1', goalStatus: 'complete' },
    { dueAt: '2026-11-16T05:00:00.000Z', state: 'missed', count: 3 },
  ],
};

test('SCHED-15 a line says when it comes next, and how it went last', () => {
  expect(scheduleLine(schedule)).toBe(
    'weekly sc-0123456789abcdef · 0 6 * * 1 Europe/Berlin · next 2026-11-30 05:00 UTC · ' +
      'last 2026-11-23 05:00 UTC started g-1 complete',
  );
  const { nextDueAt: _, ...rest } = schedule;
  const paused = { ...rest, paused: { at: '2026-11-24T12:30:00.000Z', reason: 'owner_ended' } };
  expect(scheduleLine(paused as Schedule)).toContain(
    'paused 2026-11-24 12:30 UTC: its token has ended',
  );
});

test('SCHED-15 the whole of it says what it starts, as whom, and its runs', () => {
  expect(scheduleText(schedule).split('\n')).toEqual([
    'weekly sc-0123456789abcdef',
    '  starts "Update the dependencies"',
    '  in shop, as ada (operator)',
    '  0 6 * * 1 Europe/Berlin · next 2026-11-30 05:00 UTC',
    '  overlap skip · catch up last within 1d',
    '  2026-11-23 05:00 UTC started g-1 complete',
    '  2026-11-16 05:00 UTC missed (3 due times)',
  ]);
});
