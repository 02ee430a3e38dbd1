import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporalKeys } from '../../src/sealed/keys.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { waitUntil } from '../workflows/helpers.ts';

test('a call that is being repeated ends with its connection, and so does nothing else', async () => {
  let taken = 0;
  const away = createServer((socket) => {
    taken += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-closed-'));
  onTestFinished(async () => {
    rmSync(home, { recursive: true, force: true });
    await new Promise((resolve) => away.close(resolve));
  });
  const { port } = away.address() as { port: number };
  const server = { address: `127.0.0.1:${port}`, namespace: 'default' };
  const { connection } = createTemporalClient(server, temporalKeys([], home));

  const call = connection.workflowService.describeNamespace({ namespace: 'default' });
  const ended = expect(call).rejects.toThrow('Channel has been shut down');
  await waitUntil(() => taken > 0);
  await connection.close();
  // Without an end of its own the repeat throws where nobody can catch it.
  await ended;
});
