import { expect, test } from 'vitest';
import { PollingEnded, untilOver } from '../../src/temporal/until-over.ts';

type State = 'RUNNING' | 'FAILED';
const worker = (run: Promise<void>, state: () => State = () => 'RUNNING') => ({
  run: () => run,
  getState: state,
});
const never = new Promise<void>(() => {});

test('SERVE-8 workers that drain are over', async () => {
  await untilOver([worker(Promise.resolve()), worker(Promise.resolve())]);
});

test('SERVE-8 one that failed for good ends both, although its run stays pending', async () => {
  let state: State = 'RUNNING';
  const over = untilOver([worker(never), worker(never, () => state)]);
  state = 'FAILED';
  await expect(over).rejects.toBeInstanceOf(PollingEnded);
});

test('SERVE-8 one whose run breaks says why', async () => {
  const over = untilOver([worker(never), worker(Promise.reject(new Error('not found: nowhere')))]);
  await expect(over).rejects.toThrow(/no more tasks: not found: nowhere/);
});
