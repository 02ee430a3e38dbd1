import { expect, test } from 'vitest';
import { lostAtEnd } from '../../src/attempt/lost-calls.ts';
import type { JournaledStep } from '../../src/contract/journal.ts';

const tried = (state: JournaledStep['state'], isCharged: boolean) =>
  ({ state, isCharged }) as JournaledStep;
const lost = tried('lost', true);
const sent = tried('sent', false);
const refused = tried('failed', false);
const broken = tried('failed', true);
const answered = tried('committed', true);

test.each([
  ['nothing', [], 0],
  ['the newest of them', [lost, answered, lost, sent], 2],
  ['also around a refusal that was free', [lost, refused, lost, refused, sent], 3],
  ['not before an answer that broke off', [lost, broken, lost], 1],
  ['none where an answer came last', [lost, lost, answered], 0],
])('M25 of the calls under which workers died counts: %s', (_name, tries, count) => {
  expect(lostAtEnd(tries)).toBe(count);
});
