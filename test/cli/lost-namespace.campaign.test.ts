import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { freshNamespace } from '../support/namespaces.ts';
import { freshDatabase, temporalAddress } from '../support/servers.ts';
import { start } from './command-line.ts';

// Temporal keeps what it knows of a namespace for a minute or two.
test('SERVE-8 a worker whose namespace goes away ends, and says that it gets no more tasks', async () => {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-lost-'));
  const database = await freshDatabase();
  onTestFinished(async () => {
    await database.drop();
    rmSync(home, { recursive: true });
  });
  const namespace = await freshNamespace();
  const worker = start(['worker'], {
    GOALKEEPER_HOME: home,
    GOALKEEPER_SANDBOX: 'auto',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
  });
  await worker.untilErr('worker started');
  const connection = await Connection.connect({ address: temporalAddress() });
  await connection.operatorService.deleteNamespace({ namespace });
  await connection.close();
  const ran = await worker.done;
  expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining('no more tasks') });
});
