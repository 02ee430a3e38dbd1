import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { temporalAddress } from './servers.ts';

/** Made with the server: workers get nothing from one that is registered later for some seconds. */
export const NAMESPACES = Array.from({ length: 80 }, (_, index) => `test-${index + 1}`);

/** A namespace that no other test of the run uses. */
export async function freshNamespace(): Promise<string> {
  const taken = process.env.GOALKEEPER_TEST_NAMESPACES;
  const free = taken ? NAMESPACES.find((name) => takes(join(taken, name))) : undefined;
  return free ?? (await register(`test-${process.pid}-${Date.now()}`));
}

/** Making a folder succeeds for one process only. */
function takes(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function register(namespace: string): Promise<string> {
  const connection = await Connection.connect({ address: temporalAddress() });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await connection.close();
  return namespace;
}
