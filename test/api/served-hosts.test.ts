import { afterEach, expect, test, vi } from 'vitest';
import type { Worker } from '../../schema/operations.ts';
import { watchServedModels } from '../../src/api/served-models.ts';

afterEach(() => void vi.useRealTimers());

const worker = (workerId: string, host: string, state: Worker['state'] = 'up') =>
  ({ workerId, host, state, models: [`own/${workerId}`] }) as unknown as Worker;

test('who follows goals hears of a host that got its first worker or lost its last one, by the state that the service found', async () => {
  vi.useFakeTimers();
  let workers = [worker('a', 'alpha'), worker('b', 'alpha')];
  let fails = 0;
  const told: (readonly string[])[] = [];
  const served = await watchServedModels({ workers: async () => workers }, async (hosts) => {
    if (fails-- > 0) throw new Error('The record is away.');
    told.push(hosts);
  });
  const after = async (...next: Worker[]) => {
    workers = next;
    await vi.advanceTimersByTimeAsync(5000);
    return told.splice(0);
  };
  expect(await after(worker('a', 'alpha', 'lost'), worker('b', 'alpha', 'draining'))).toEqual([]);
  expect(served.names()).toEqual(['own/b']);
  fails = 1;
  expect(await after(worker('a', 'alpha', 'lost'))).toEqual([]);
  expect(await after(worker('a', 'alpha', 'lost'))).toEqual([['alpha']]);
  expect(await after(worker('a', 'alpha', 'lost'), worker('c', 'beta'))).toEqual([['beta']]);
  expect(await after(worker('a', 'alpha'), worker('c', 'beta'))).toEqual([['alpha']]);
  await served.stop();
});
