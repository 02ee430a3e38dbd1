import { Runtime } from '@temporalio/worker';
import { loadConfig } from '../../src/app/config.ts';
import { runWorker } from '../../src/app/run-worker.ts';
import { createLogger } from '../../src/process/log.ts';
import { openDatabase } from '../../src/store/client.ts';
import { quietLogger } from '../../src/temporal/quiet-logger.ts';
import { type Visitor, wrapReconcilerPorts, wrapTurnPorts } from './fault-points.ts';
import { type Fault, faultsOfGoal, hasStruck, isTimeToDie, NO_GOAL, parseFault } from './faults.ts';

/**
 * A production worker that dies at named points: at those of the goals that it works for, and at
 * `GOALKEEPER_FAULTS`, the first that is left. The folder counts, so that each strikes once.
 */
const { GOALKEEPER_FAULTS: own, GOALKEEPER_FAULT_FOLDER: folder } = process.env;
const config = loadConfig();
const { databaseUrl } = config;
const { address, namespace } = config.temporal;
if (databaseUrl === null || address === null) throw new Error('the servers must be named');
const database = openDatabase(databaseUrl, { connections: 1 });

function visitorOf(countedIn: string): Visitor {
  const next = (own ? own.split(',').map(parseFault) : []).find(
    (fault) => !hasStruck(countedIn, NO_GOAL, fault),
  );
  const known = new Map<string, readonly Fault[]>();
  const visitAs = (owner: string, faults: readonly Fault[], point: string) => {
    const isOver = faults.some((fault) => isTimeToDie(countedIn, owner, fault, point));
    if (isOver) process.kill(process.pid, 'SIGKILL');
  };
  return {
    visit(point, goalId) {
      visitAs(NO_GOAL, next === undefined ? [] : [next], point);
      if (goalId !== null) visitAs(goalId, known.get(goalId) ?? [], point);
    },
    meet: (goalId) => (known.has(goalId) ? null : learn(goalId, known)),
  };
}

async function learn(goalId: string, known: Map<string, readonly Fault[]>): Promise<void> {
  const [goal] = await database<{ own: string; parents: string | null }[]>`
    SELECT g.thread_id AS own, p.thread_id AS parents
    FROM goal g LEFT JOIN goal p ON p.goal_id = g.parent_goal_id WHERE g.goal_id = ${goalId}`;
  known.set(goalId, faultsOfGoal(goal?.own ?? '', goal?.parents ?? null));
}

// A play that is killed leaves nobody behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const log = createLogger(config.logLevel, 'worker');
Runtime.install({
  shutdownSignals: [],
  logger: quietLogger,
});
const visitor = folder ? visitorOf(folder) : null;
const running = await runWorker({
  config: { ...config, databaseUrl },
  temporal: { address, namespace },
  workspaces: [],
  log,
  ...(visitor === null
    ? {}
    : {
        wrapPorts: (ports) => wrapTurnPorts(ports, visitor),
        wrapReconciler: (ports) => wrapReconcilerPorts(ports, visitor),
      }),
});
process.on('SIGTERM', () => running.stop());
process.send?.('ready');
await running.done;
process.exit(0);
