import { describe, expect, it } from 'vitest';
import type { CriterionEvidence } from '../../src/contract/evidence.ts';
import { shortened } from '../../src/evidence/shorten.ts';

const found = (change: Partial<CriterionEvidence>): CriterionEvidence => ({
  criterionId: 'c1',
  state: 'met',
  baseline: 'unmet',
  isHostChecked: true,
  reason: 'r'.repeat(1000),
  receipts: [],
  ...change,
});

const lengths = (criteria: readonly CriterionEvidence[]) =>
  shortened(criteria).map(({ reason }) => reason.length);

describe('PRF-26: evidence stays small, and a person who is asked reads why', () => {
  it('leaves a met criterion that nobody is asked about the beginning of its reason', () => {
    expect(lengths([found({})])).toEqual([200]);
  });

  it('shows as much of why a met criterion asks a person as of why one is unmet', () => {
    expect(lengths([found({ isHostChecked: false }), found({ state: 'unmet' })])).toEqual([
      1000, 1000,
    ]);
  });

  it('PRF-32: says how much of a reason is not shown', () => {
    const words = Array.from({ length: 300 }, (_, at) => `file-${at}.ts`).join(', ');
    const [one] = shortened([found({ isHostChecked: false, reason: words })]);
    const [, shown = '', left] = /^(.*) … (\d+) more characters$/.exec(one?.reason ?? '') ?? [];
    expect(words.startsWith(shown)).toBe(true);
    expect(shown.length + Number(left)).toBe(words.length);
    expect(one?.reason.length).toBe(2400);
  });

  it('PRF-32: leaves what is short as it is', () => {
    const reason = 'exited 0; passes whatever it expects';
    expect(shortened([found({ reason })])[0]?.reason).toBe(reason);
  });

  it.each([1, 5, 50])('keeps the reasons of %i criteria below 5 KB', (count) => {
    const all = [{}, { isHostChecked: false }, { state: 'unmet' as const }].flatMap((change) =>
      Array.from({ length: count }, () => found(change)),
    );
    expect(lengths(all).reduce((sum, one) => sum + one, 0)).toBeLessThan(5000);
  });
});
