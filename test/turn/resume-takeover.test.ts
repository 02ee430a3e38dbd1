import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAttempt } from '../../src/attempt/attempt.ts';
import type { ProcessIdentity } from '../../src/contract/process-identity.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { type OpenRecord, openRecord } from '../store/record-fixture.ts';

const EARLIER = Date.parse('2026-01-01T10:00:00.000Z');
const LATER = EARLIER + 5000;
const helper: ProcessIdentity = { host: 'here', pid: 4711, startedAt: '99', isInit: true };

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

function portsWith(journal: TurnPorts['journal'], ended: ProcessIdentity[]): TurnPorts {
  const nothing = async () => {
    throw new Error('no effects here');
  };
  return {
    journal,
    host: 'here',
    workerId: 'w1',
    endHelper: async (identity: ProcessIdentity) => void ended.push(identity),
    startEffects: () => ({ runCommand: nothing, writeFile: nothing, close: nothing }),
  } as unknown as TurnPorts;
}

describe('an attempt that was frozen while a later one took the goal over', () => {
  test('leaves the later one its token and its helper when it begins to look only then', async () => {
    const execution = await stores.openGoal();
    const ended: ProcessIdentity[] = [];
    const ports = portsWith(stores.journal, ended);
    const { fence } = await openAttempt(ports, execution, LATER);
    await stores.journal.recordHelper(fence, helper);
    await expect(openAttempt(ports, execution, EARLIER)).rejects.toThrow('a later attempt');
    expect(ended).toEqual([]);
    expect(await stores.journal.lastAttempt(execution.goalId)).toMatchObject({
      token: fence.token,
      helper,
    });
  });

  test('does not look again when it was frozen between its look and its claim', async () => {
    const execution = await stores.openGoal();
    const ended: ProcessIdentity[] = [];
    let hasThawed = false;
    const frozen: TurnPorts['journal'] = {
      ...stores.journal,
      async lastAttempt(goalId) {
        const seen = await stores.journal.lastAttempt(goalId);
        if (hasThawed) return seen;
        hasThawed = true;
        await openAttempt(portsWith(stores.journal, ended), execution, LATER);
        return seen;
      },
    };
    const late = openAttempt(portsWith(frozen, ended), execution, EARLIER);
    await expect(late).rejects.toThrow('a later attempt');
    expect(await stores.journal.lastAttempt(execution.goalId)).toMatchObject({ token: 1 });
  });
});

test('a retry takes over from the attempt that died before it', async () => {
  const execution = await stores.openGoal();
  const ended: ProcessIdentity[] = [];
  const ports = portsWith(stores.journal, ended);
  const first = await openAttempt(ports, execution, EARLIER);
  await stores.journal.recordHelper(first.fence, helper);
  const second = await openAttempt(ports, execution, LATER);
  expect(second.fence.token).toBe(2);
  expect(ended).toEqual([helper]);
});
