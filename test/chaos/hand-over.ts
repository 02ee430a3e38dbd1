import { taskQueuesOf } from '../../src/contract/task-queues.ts';
import { temporalKeys } from '../../src/sealed/keys.ts';
import { readInstallation } from '../../src/store/installation.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { openStore } from '../../src/store/store.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { createExecutions } from '../../src/temporal/executions.ts';
import { handOver } from '../../src/temporal/hand-over.ts';
import { type Visitor, wrapPort } from './fault-points.ts';
import { isTimeToDie, NO_GOAL, parseFault } from './faults.ts';

/** Hands a dead worker's goals over, and dies at one point of that. */
const {
  DATABASE_URL: databaseUrl = '',
  TEMPORAL_ADDRESS: address = '',
  TEMPORAL_NAMESPACE: namespace = '',
  GOALKEEPER_WORKER_ID: workerId = '',
  GOALKEEPER_FAULTS: fault = '',
  GOALKEEPER_FAULT_FOLDER: folder = '',
  GOALKEEPER_HOME: home = '',
} = process.env;

const visitor: Visitor = {
  visit(point) {
    if (isTimeToDie(folder, NO_GOAL, parseFault(fault), point))
      process.kill(process.pid, 'SIGKILL');
  },
};
const opened = openStore(databaseUrl, { connections: 1 });
const executions = createExecutions(
  createTemporalClient({ address, namespace }, temporalKeys([], home)),
  taskQueuesOf(await readInstallation(opened.sql)),
);
const store = createReconcileStore(opened, { ledgerKeys: noKeys });
const handed = await handOver(
  wrapPort('temporal', executions, visitor),
  wrapPort('store', store, visitor),
  workerId,
);
process.exit(handed);
