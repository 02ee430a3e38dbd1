import { expect, onTestFinished, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import { readPublicKeys } from '../../src/attest/dsse.ts';
import { claim, openApprovalWorld, write } from './approval-world.ts';
import { flipBytes } from './flipped-bytes.ts';

test('PRF-6 a byte that is flipped is found, each of the file', async () => {
  const { world } = await openApprovalWorld({
    honest: sequence([write('answer.txt', '42\n'), claim()]),
  });
  onTestFinished(() => world.close());
  const { goalId } = await world.start({
    objective: 'honest: go',
    workspace: { path: await world.workspace({ 'answer.txt': '41\n' }) },
    criteria: [{ kind: 'command', command: 'grep -q 42 answer.txt' }],
  });
  const { status } = await world.until(goalId, (one) => one.status !== 'active');
  expect(status).toBe('complete');
  const file = await world.client.text(`/v1/goals/${goalId}/proof`);
  const keys = readPublicKeys(await world.client.text('/v1/proof-key')) ?? [];
  flipBytes(Buffer.from(file), keys, 1);
});
