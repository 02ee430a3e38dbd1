import { expect, test } from 'vitest';
import { rememberBacklogs } from '../../../src/api/operations/backlogs.ts';
import { taskQueuesOf } from '../../../src/contract/task-queues.ts';

const MINUTE_MS = 60_000;

test('a queue tells the most that waited in each minute that somebody looked, for twenty minutes', async () => {
  let now = 100 * MINUTE_MS;
  let backlog = 0;
  const rates = { ageSeconds: 0, addedRate: 0, takenRate: 0, pollers: 1 };
  const queues = rememberBacklogs(
    {
      names: taskQueuesOf('here'),
      describe: async (name, kind) => ({ name, kind, backlog, ...rates }),
    },
    () => now,
  );
  const look = async (waiting: number, name = 'goals') => {
    backlog = waiting;
    return (await queues.describe(name, 'workflow')).recentBacklog;
  };
  const nobody = Array.from({ length: 20 }, () => null);
  expect(await look(3)).toEqual([...nobody.slice(1), 3]);
  expect(await look(9)).toEqual([...nobody.slice(1), 9]);
  expect(await look(1)).toEqual([...nobody.slice(1), 9]);
  now += 2 * MINUTE_MS;
  expect(await look(0)).toEqual([...nobody.slice(3), 9, null, 0]);
  expect(await look(5, 'another one')).toEqual([...nobody.slice(1), 5]);
  now += 18 * MINUTE_MS;
  expect(await look(2)).toEqual([null, 0, ...nobody.slice(3), 2]);
});
