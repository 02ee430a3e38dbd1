import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { SecurityRefusal } from '../../src/contract/refused-payload.ts';
import { tellRefusals } from '../../src/temporal/tell-refusals.ts';

const refusal = (why: SecurityRefusal['why'], workflowId = 'goal:g1:1'): SecurityRefusal => ({
  ...{ what: 'update', name: 'order', keyId: null },
  ...{ why, workflowId },
});

test('SEC-26 what is refused is recorded in the order in which it happened, one that fails included', async () => {
  const recorded: string[] = [];
  const events = new EventEmitter();
  const slow = once(events, 'slow');
  const all = once(events, 'all');
  const tell = tellRefusals({
    log: pino({ level: 'silent' }),
    security: {
      async refused(goalId, { why }) {
        if (why === 'plain') await slow;
        recorded.push(`${goalId} ${why}`);
        if (goalId === 'g2') events.emit('all');
        if (why === 'no_order') throw new Error('The database is away');
      },
    },
  });
  tell(refusal('plain'));
  tell(refusal('no_order'));
  tell(refusal('key', 'goal:g2:1'));
  events.emit('slow');
  await all;
  expect(recorded).toEqual(['g1 plain', 'g1 no_order', 'g2 key']);
});

test('SEC-27 what is refused and was meant for no goal is recorded too, a flood under other ids once a minute', async () => {
  const recorded: string[] = [];
  const events = new EventEmitter();
  const last = once(events, 'last');
  const tell = tellRefusals({
    log: pino({ level: 'silent' }),
    security: {
      async refused(goalId, { workflowId, why }) {
        recorded.push(`${goalId} ${workflowId} ${why}`);
        if (workflowId === 'else') events.emit('last');
      },
    },
  });
  for (const id of ['check:1', 'check:2', 'apply:1', 'schedule:1', 'schedule:2'])
    tell(refusal('no_order', id));
  tell(refusal('plain', 'check:3'));
  tell(refusal('plain', 'else'));
  await last;
  expect(recorded).toEqual([
    'null check:1 no_order',
    'null apply:1 no_order',
    'null schedule:1 no_order',
    'null check:3 plain',
    'null else plain',
  ]);
});
