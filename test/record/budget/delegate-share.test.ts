import { describe, expect, test } from 'vitest';
import type { Budget, UsageFields } from '../../../schema/budget.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { addAll, shareOf } from '../../../src/record/budget/delegate-share.ts';

const unlimited = { tokens: null, costUsd: null, turns: null, activeSeconds: null };
const none: Budget = { ...unlimited, deadline: null };
const share = (budget: Partial<Budget>, count = 1, held: Partial<UsageFields> = {}) =>
  shareOf({ ...none, ...budget }, { ...noUsage, ...held }, count);

describe('the share of a delegate', () => {
  test.each<[string, Partial<Budget>, number, object]>([
    ['has no limit that the goal has not', {}, 1, unlimited],
    ['pays for a call and the wrap-up behind it', { tokens: 8000 }, 1, { tokens: 4000 }],
    ['is a second at least', { activeSeconds: 3 }, 1, { activeSeconds: 1 }],
    ['is one of the last few turns', { turns: 3 }, 2, { turns: 1 }],
    ['is whole dollars where they are', { costUsd: '2' }, 1, { costUsd: '1' }],
    ['is cut to a millionth of a dollar', { costUsd: '0.000005' }, 1, { costUsd: '0.000002' }],
  ])('%s', (_, budget, count, expected) => {
    expect(share(budget, count)).toEqual({ ...unlimited, ...expected });
  });

  test.each<[string, Partial<Budget>, Partial<UsageFields>?]>([
    ['tokens', { tokens: 7999 }],
    ['turns', { turns: 1 }],
    ['time', { activeSeconds: 1 }],
    ['money', { costUsd: '0.000001' }],
    ['money that is left', { costUsd: '2' }, { costUsd: '2' }],
    ['tokens that nobody holds', { tokens: 12_000 }, { tokens: 4001 }],
  ])('is refused where too little is there of its %s', (_, budget, held) => {
    expect(share(budget, 1, held)).toBeNull();
  });
});

test('what several delegates used adds up, also of none', () => {
  const used = { ...noUsage, tokens: 5, costUsd: '0.1' };
  expect(addAll([])).toEqual(noUsage);
  expect(addAll([used, used, used])).toEqual({ ...noUsage, tokens: 15, costUsd: '0.3' });
});
