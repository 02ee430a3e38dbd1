import type { Client } from '@temporalio/client';

const PATIENCE_MS = 2000;

/** Does Temporal answer, and admit this service to its namespace? A server may refuse that alone. */
export async function pingNamespace({ connection, options }: Client): Promise<void> {
  const { namespace } = options;
  await connection.withDeadline(Date.now() + PATIENCE_MS, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
}
