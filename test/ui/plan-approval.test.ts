import { expect, test } from 'vitest';
import { approvalFacts, planBody, plannedText } from '../../src/ui/view/approval-text.ts';
import { rowOf, toCriterion } from '../../src/ui/view/criterion-form.ts';

test('a plan is shown once, where it can be edited, and sent only where it was', () => {
  const approval = { kind: 'plan', data: { result: '# Plan', command: 'npm test' } } as const;
  expect(plannedText(approval)).toBe('# Plan');
  expect(approvalFacts(approval).map(({ name }) => name)).toEqual(['Shown by']);
  expect(plannedText({ ...approval, kind: 'completion' })).toBeNull();
  expect(planBody({ plan: '# Plan', commands: ' \n' }, '# Plan')).toEqual({});
  expect(planBody({ plan: '# Mine', commands: 'make\n\n npm test ' }, '# Plan')).toEqual({
    plan: '# Mine',
    criteria: [
      { kind: 'command', command: 'make' },
      { kind: 'command', command: 'npm test' },
    ],
  });
});

test('a criterion for no new errors comes back from its form as it was', () => {
  for (const spec of [{ kind: 'diagnostics' }, { kind: 'diagnostics', onlyNew: true }] as const)
    expect(toCriterion(rowOf(spec))).toEqual(spec);
});
