import { expect, test } from 'vitest';
import { alarmCrons } from '../../src/temporal/alarm-clock.ts';

test.each([
  ['0 6 * * 1', ['0 6 * * 1']],
  ['0 6 1 * *', ['0 6 1 * *']],
  ['0 6 13 * FRI', ['0 6 13 * *', '0 6 * * FRI']],
  ['0 6 */2 * FRI', ['0 6 */2 * FRI']],
])('Temporal is told %s as %j: where day and weekday are limited, either fits', (cron, told) => {
  expect(alarmCrons(cron)).toEqual(told);
});
