import { expect, test } from 'vitest';
import type { Worker } from '../../schema/operations.ts';
import { watchServedModels } from '../../src/api/served-models.ts';

const worker = (workerId: string, host: string, state: Worker['state'] = 'up') =>
  ({ workerId, host, state, models: [`own/${workerId}`] }) as unknown as Worker;

test('who follows goals hears of a host that got its first worker or lost its last one, by the state that the service found', async () => {
  let workers = [worker('a', 'alpha'), worker('b', 'alpha')];
  let looks = 0;
  let isAway = false;
  const told: (readonly string[])[] = [];
  const reader = {
    workers: async () => {
      looks += 1;
      return workers;
    },
  };
  const onHosts = async (hosts: readonly string[]) => {
    if (isAway) throw new Error('The record is away.');
    told.push(hosts);
  };
  const served = await watchServedModels(reader, onHosts, 1);
  /** The second look from now on began behind the change. */
  const after = async (...next: Worker[]) => {
    workers = next;
    const from = looks;
    await expect.poll(() => looks, { interval: 1 }).toBeGreaterThan(from + 2);
    return told.splice(0);
  };
  expect(await after(worker('a', 'alpha', 'lost'), worker('b', 'alpha', 'draining'))).toEqual([]);
  expect(served.names()).toEqual(['own/b']);
  isAway = true;
  expect(await after(worker('a', 'alpha', 'lost'))).toEqual([]);
  isAway = false;
  expect(await after(worker('a', 'alpha', 'lost'))).toEqual([['alpha']]);
  expect(await after(worker('a', 'alpha', 'lost'), worker('c', 'beta'))).toEqual([['beta']]);
  expect(await after(worker('a', 'alpha'), worker('c', 'beta'))).toEqual([['alpha']]);
  await served.stop();
});
