import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addPlay, readTotals, writeTotals } from '../../scripts/chaos/totals.ts';

const text = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
const seen = { play: 'storms', isWhole: true, day: '2026-11-27', commit: 'abc' } as const;
const tally = {
  ...{ play: 'storms', deaths: { worker: 3, gone: 1 }, frozen: 2, looked: 5 },
  wrong: ['lost', 'lost', 'stuck'],
} as const;

test('CHAOS-1 a campaign goes on from what docs/reliability.md says, and changes nothing else there', () => {
  const totals = readTotals(text);
  expect(writeTotals(text, totals)).toBe(text);
  const once = writeTotals(text, addPlay(totals, { ...seen, told: tally }));
  const twice = writeTotals(once, addPlay(readTotals(once), { ...seen, told: tally }));
  expect(readTotals(twice)).toHaveLength(totals.length + 1);
  expect(readTotals(twice).at(-1)).toMatchObject({
    play: 'storms',
    sums: { rounds: 2, worker: 6, api: 0, frozen: 4, looked: 10, lost: 4, stuck: 2, unfinished: 0 },
    last: '2026-11-27, abc',
  });
  expect(readTotals(twice).slice(0, -1)).toEqual(totals);
});

test('CHAOS-1 a play that broke off is told for good', () => {
  const [total] = addPlay([], { ...seen, told: null, isWhole: false });
  expect(total?.sums).toMatchObject({ rounds: 1, worker: 0, unfinished: 1 });
});

test('CHAOS-1 a text without the table is refused, so that no count is lost', () => {
  expect(() => readTotals('# Reliability')).toThrow('no line');
});
