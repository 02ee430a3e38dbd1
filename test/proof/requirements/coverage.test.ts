import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckedBy, Requirement } from '../../../schema/requirement.ts';
import {
  checkedBy,
  checkedByPlan,
  countCoverage,
} from '../../../src/proof/requirements/coverage.ts';
import { makeCriterion } from '../../goal/turn-facts.ts';

const requirement = (criteria: string[] = ['c1']): Requirement => ({
  requirementId: 'R1',
  text: 'It is 42',
  criteria,
  setBy: 'model',
});
const nobody = new Set<string>();

describe('REQ-1 a requirement is checked', () => {
  test('by the host where a bound criterion failed before, holds now and can carry a proof', () => {
    expect(checkedBy(requirement(), [makeCriterion()], nobody)).toBe('host');
  });

  test.each([
    ['a guard', makeCriterion({ baseline: 'met' })],
    ['one that never ran before', makeCriterion({ baseline: 'not_run' })],
    ['one that does not hold', makeCriterion({ state: 'unmet' })],
    ['one that supports only', makeCriterion({ isHostChecked: false })],
    ['one that it is not bound to', makeCriterion({ criterionId: 'c2' })],
    ['a question that nobody answered', makeCriterion({ isHostChecked: false, person: 'needed' })],
  ])('by nobody where all there is is %s', (_, criterion) => {
    expect(checkedBy(requirement(), [criterion], nobody)).toBe('nobody');
  });

  test('by a person who approved it or a criterion that is bound to it', () => {
    const approval = makeCriterion({ isHostChecked: false, baseline: 'unmet', person: 'approved' });
    expect(checkedBy(requirement(), [approval], nobody)).toBe('person');
    expect(checkedBy(requirement([]), [], new Set(['R1']))).toBe('person');
    expect(checkedBy(requirement([]), [], new Set(['R2']))).toBe('nobody');
  });

  test('in the plan by nobody until the baseline says that a bound check fails', () => {
    const spec = { kind: 'command', command: 'npm test' } as const;
    const plan = (baseline: 'met' | 'unmet' | 'not_run') =>
      checkedByPlan(requirement(), [{ criterionId: 'c1', spec, baseline }]);
    expect([plan('not_run'), plan('met'), plan('unmet')]).toEqual(['nobody', 'nobody', 'host']);
    const cited = { ...spec, check: 'receipt' } as const;
    expect(
      checkedByPlan(requirement(), [{ criterionId: 'c1', spec: cited, baseline: 'unmet' }]),
    ).toBe('nobody');
  });
});

describe('the statement of a completion', () => {
  const shown = (...by: CheckedBy[]) =>
    countCoverage(by.map((one) => ({ ...requirement(), by: one }))).statement;

  test('counts each kind and leaves out what there is none of', () => {
    expect(shown('host', 'host', 'host', 'person', 'nobody')).toBe(
      '5 requirements: 3 checked by the host, 1 by a person, 1 by nobody',
    );
    expect(shown('nobody')).toBe('1 requirement: 1 checked by nobody');
    expect(shown('person', 'nobody')).toBe('2 requirements: 1 checked by a person, 1 by nobody');
  });

  test('REQ-12 says how many the model named when it had begun to write', () => {
    const late = { ...requirement(), by: 'host', late: true } as const;
    expect(countCoverage([late, { ...requirement(), by: 'host' }]).statement).toBe(
      '2 requirements: 2 checked by the host; 1 named by the model after its first write',
    );
  });

  test('adds up whatever there is', () => {
    const kinds = fc.array(fc.constantFrom<CheckedBy>('host', 'person', 'nobody'));
    fc.assert(
      fc.property(kinds, (all) => {
        const {
          total,
          host,
          person,
          nobody: open,
        } = countCoverage(all.map((by) => ({ ...requirement(), by })));
        expect(host + person + open).toBe(total);
      }),
    );
  });
});
