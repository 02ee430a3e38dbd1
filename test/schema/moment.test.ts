import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentSchema } from '../../schema/moment.ts';

describe('a time that a caller names', () => {
  test.each([
    ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00.000Z'],
    ['2026-11-22T10:00:00+05:30', '2026-11-22T04:30:00.000Z'],
    ['8489-04-27T17:29:49-19:08', '8489-04-28T12:37:49.000Z'],
    ['2026-11-22T10:00:00.123456Z', '2026-11-22T10:00:00.123Z'],
  ])('%s is told in UTC', (text, told) => {
    expect(momentSchema.parse(text)).toBe(told);
  });

  test.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    '%s is beyond what the record holds, and is refused with the way out',
    (text) => {
      expect(momentSchema.safeParse(text).error?.issues[0]?.message).toContain('years 1 to 9999');
    },
  );

  test.each(['', 'soon', '2026-13-40T99:00:00Z', '2026-11-22'])(
    '%j is no time, and is refused',
    (text) => {
      expect(momentSchema.safeParse(text).success).toBe(false);
    },
  );

  test('what is accepted is the same moment, with a year of four digits and no offset', () => {
    const offset = fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 * 60 + 59 }))
      .map(([sign, minutes]) => {
        const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
        return `${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
      });
    const local = fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString().slice(0, -1));
    fc.assert(
      fc.property(local, offset, (time, zone) => {
        const read = momentSchema.safeParse(time + zone);
        if (!read.success) return;
        expect(read.data).toMatch(/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(read.data)).toBe(Date.parse(time + zone));
      }),
    );
  });
});
