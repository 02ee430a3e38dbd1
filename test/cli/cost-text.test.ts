import { expect, test } from 'vitest';
import type { SpendStanding } from '../../schema/spend.ts';
import { costText } from '../../src/cli/cost-text.ts';
import { limitAmounts, limitName, limitState } from '../../src/ui/view/spend-limits.ts';

const limit: SpendStanding = {
  ...{ of: 'workspace', name: 'shop', per: 'day', timeZone: 'UTC' },
  ...{ from: '2026-11-26T00:00:00.000Z', to: '2026-11-27T00:00:00.000Z' },
  ...{ costUsd: '3.2', tokens: 120_000, heldUsd: '1.1', heldTokens: 0 },
  ...{ mostUsd: '20', mostTokens: null, fill: 0.16 },
};

test('SPEND-17 costs stand with their sum, and limits with what is spent, held and left', () => {
  const item = { key: '2026-11-26T00:00:00.000Z', costUsd: '3.2', calls: 4, tokens: 120_000 };
  const range = { from: '2026-11-26T00:00:00.000Z', to: '2026-11-26T12:00:00.000Z' };
  const spend = { by: 'day', costUsd: '3.2', items: [{ ...item, estimatedUsd: '0.2' }], ...range };
  expect(costText({ ...spend, by: 'day' }, [limit])).toBe(
    [
      '$3.2 from 2026-11-26T00:00:00.000Z to 2026-11-26T12:00:00.000Z',
      '2026-11-26  $3.2  $0.2 estimated  4 calls  120000 tokens',
      '',
      'limit of workspace shop per day: $3.2 of $20 and $1.1 held (16 %), anew at 2026-11-27T00:00:00.000Z',
    ].join('\n'),
  );
  expect(costText({ ...spend, by: 'day', costUsd: '0', items: [] }, [])).toMatch(
    /^\$0 from \S+ to \S+$/,
  );
});

test('SPEND-18 the console names a limit, what is spent and held of it, and when it is near', () => {
  expect(limitName(limit)).toBe('workspace shop, a day');
  expect(limitName({ ...limit, of: 'service', name: null, per: 'month' })).toBe(
    'Whole service, a month',
  );
  expect(limitAmounts({ ...limit, mostTokens: 500_000 })).toMatch(
    /^\$3\.20 of \$20\.00, \$1\.10 held · 120k of 500k tokens$/,
  );
  expect([0.89, 0.9, 1].map((fill) => limitState({ ...limit, fill }))).toEqual([
    '',
    'near',
    'reached',
  ]);
});
