import { expect, test } from 'vitest';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { statusOf } from '../../../src/goal/chart/view.ts';
import { defaultBudget } from '../../../src/goal/defaults.ts';
import { defaultAnswerText, expiryOf } from '../../../src/record/waits/expiry.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const budget = { ...defaultBudget, turns: 3 };
const asked = step(initialChart(), {
  type: 'turn.paused',
  pause: { reason: 'question', message: 'Which?', missing: [], questionId: 'q-1', since: NOW },
});
const waiting = step(initialChart(), {
  type: 'turn.waits',
  wait: { on: 'approval', reason: 'asks', since: NOW, until: NOW, approvalIds: ['a-1', 'a-2'] },
  next: 'resume',
});

test('a question that nobody answered is answered by its default', () => {
  const expiry = expiryOf({ chart: asked, budget }, noUsage, NOW);
  expect(expiry).toMatchObject({ kind: 'default_answer', questionId: 'q-1' });
  expect(statusOf(expiry.chart)).toBe('active');
  expect(expiry.chart.context.next).toBe('answer');
  expect(defaultAnswerText('blue')).toMatch(/The default answer holds: blue$/);
});

test('what nobody decided is denied, and the goal goes on as it was about to', () => {
  const expiry = expiryOf({ chart: waiting, budget }, noUsage, NOW);
  expect(expiry).toMatchObject({ kind: 'denial', approvalIds: ['a-1', 'a-2'] });
  expect(statusOf(expiry.chart)).toBe('active');
  expect(expiry.chart.context).toMatchObject({ next: 'resume', wait: null });
});

test('where the budget is used up, the default answer leads no further', () => {
  const expiry = expiryOf({ chart: asked, budget }, { ...noUsage, turns: 3 }, NOW);
  expect(statusOf(expiry.chart)).toBe('budget_limited');
});
