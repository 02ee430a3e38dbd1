import { expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { afterLostExecution } from '../../../src/record/status/lost-execution.ts';

const NOW = '2026-01-01T00:00:00.000Z';

test('a goal whose execution was lost is paused where it was active, and says what to do', () => {
  const paused = afterLostExecution(initialChart(), NOW);
  expect(paused.value).toBe('paused');
  expect(paused.context.pause).toMatchObject({ reason: 'recovery', missing: [], since: NOW });
  expect(paused.context.pause?.message).toMatch(/resume it\.$/);
});

test('in another state it stays as it is', () => {
  const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
  const paused = step(initialChart(), { type: 'goal.paused', pause });
  expect(afterLostExecution(paused, NOW)).toBe(paused);
});
