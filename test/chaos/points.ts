import { taskQueuesOf } from '../../src/contract/task-queues.ts';
import { createModels } from '../../src/model/providers.ts';
import { temporalKeys } from '../../src/sealed/keys.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { createRecord } from '../../src/store/record/record.ts';
import { openStore } from '../../src/store/store.ts';
import { createCheckpointStore } from '../../src/store/workspaces/checkpoints.ts';
import { createWorktreeStore } from '../../src/store/workspaces/worktrees.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { createExecutions } from '../../src/temporal/executions.ts';
import { startEffects } from '../../src/workspace/helper/client.ts';
import { methodsOf } from './fault-points.ts';

const NOWHERE = '127.0.0.1:1';

/** The ports of a worker, connected to nothing: asked for their methods only. */
function methodsByPort(): Record<string, readonly string[]> {
  const store = openStore(`postgres://${NOWHERE}/none`, { connections: 1 });
  const temporal = createTemporalClient(
    { address: NOWHERE, namespace: 'none' },
    temporalKeys(['a-secret-for-nothing'], '/nowhere'),
  );
  return {
    journal: methodsOf(createJournal(store.sql, { ledgerKeys: noKeys })),
    record: methodsOf(createRecord(store.sql, { ledgerKeys: noKeys })),
    proofs: methodsOf(createProofStore(store, noKeys)),
    checkpoints: methodsOf(createCheckpointStore(store, noKeys)),
    worktrees: methodsOf(createWorktreeStore(store, { ledgerKeys: noKeys })),
    model: methodsOf(createModels({})),
    workspace: [
      ...['startEffects', 'endHelper'],
      ...methodsOf(startEffects({ host: 'none', onSpawn: async () => {} })),
    ],
    temporal: methodsOf(createExecutions(temporal, taskQueuesOf('none'))),
    store: methodsOf(createReconcileStore(store, { ledgerKeys: noKeys })),
    reconciler: ['endHelper'],
  };
}

/** Every method of every port, by what the ports have. */
export const METHODS: readonly string[] = Object.entries(methodsByPort()).flatMap(
  ([port, methods]) => methods.map((method) => `${port}.${method}`),
);

export const bothSides = (methods: readonly string[]): string[] =>
  methods.flatMap((method) => [`${method}:before`, `${method}:after`]);
