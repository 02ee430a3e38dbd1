/**
 * Records the histories that the replay test keeps (test/workflows/histories), anew and all of them:
 *
 *     npx tsx scripts/record-histories.ts [NAME…]
 *
 * Each scenario of test/support/history-scenarios.ts is driven on real servers of its own, and what
 * the Temporal server wrote down is stored without a trace of the machine. When to run it, and when
 * not to: docs/operations.md, "Changing workflow code".
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../src/temporal/names.ts';
import bundleWorkflows from '../test/support/bundle-setup.ts';
import { setup as startServers } from '../test/support/global-setup.ts';
import type { GoalWorld } from '../test/support/goal-world.ts';
import {
  HISTORIES,
  type RecordedRun,
  scenarioNames,
  withoutMachine,
  writeRuns,
} from '../test/support/history-file.ts';
import { type Scenario, type Stage, scenarios } from '../test/support/history-scenarios.ts';
import { openPayloads } from '../test/support/open-payloads.ts';
import { openScriptedGoals } from '../test/support/scripted-goals.ts';
import { restartWith, temporalClient, waitUntil } from '../test/workflows/helpers.ts';

const chosen = process.argv.slice(2);
const names = chosen.length > 0 ? chosen : Object.keys(scenarios);

const stopServers = await startServers();
const removeBundle = await bundleWorkflows();
try {
  for (const name of names) await record(name, scenarioOf(name));
  if (chosen.length === 0) removeStrays();
} finally {
  removeBundle();
  await stopServers();
}

function scenarioOf(name: string): Scenario {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`There is no scenario "${name}"`);
  return scenario;
}

async function record(name: string, { script, before, drive }: Scenario): Promise<void> {
  const goals = await openScriptedGoals({ [name]: script }, { worker: false, isUnsealed: true });
  const temporal = await temporalClient(goals.world);
  try {
    const stage: Stage = {
      ...goals,
      start: (goal) => goals.start(name, goal),
      restart: (goalId, maxEvents) => restartWith(goals.world, temporal, goalId, maxEvents),
    };
    const prepared = (await before?.(stage)) ?? '';
    await goals.world.startWorker();
    const goalIds = await drive(stage, prepared);
    const runs: RecordedRun[] = [];
    for (const goalId of goalIds) runs.push(...(await runsOf(goals.world, temporal, goalId)));
    console.log(`${name}: ${runs.length} runs, ${writeRuns(name, runs)} bytes`);
  } finally {
    await temporal.connection.close();
    await goals.world.close();
  }
}

/** Every run of the goal's newest execution, from its first to its last. */
async function runsOf(world: GoalWorld, temporal: Client, goalId: string): Promise<RecordedRun[]> {
  const { epoch, is_archived } = await settled(world, goalId);
  const workflowId = workflowIdOf(goalId, epoch);
  if (is_archived) await untilClosed(temporal, workflowId);
  const runs: RecordedRun[] = [];
  let next: string | undefined = await firstRunOf(temporal, workflowId);
  while (next !== undefined) {
    const history = await temporal.workflow.getHandle(workflowId, next).fetchHistory();
    await openPayloads(temporal, workflowId, history);
    runs.push({ workflowId, history: withoutMachine(history) });
    const last = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
    next = last?.newExecutionRunId ?? undefined;
  }
  return runs;
}

async function untilClosed(temporal: Client, workflowId: string): Promise<void> {
  await waitUntil(async () => {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name !== 'RUNNING';
  });
}

async function firstRunOf(temporal: Client, workflowId: string): Promise<string | undefined> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  return started?.firstExecutionRunId ?? undefined;
}

/** Once its last turn is settled: until then the history ends in the middle of one. */
async function settled(
  world: GoalWorld,
  goalId: string,
): Promise<{ epoch: number; is_archived: boolean }> {
  return waitUntil(async () => {
    const [goal] = await world.database<{ epoch: number; is_archived: boolean }[]>`
      SELECT g.epoch, g.archived_at IS NOT NULL AS is_archived FROM goal g
      WHERE g.goal_id = ${goalId} AND (g.archived_at IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM turn t WHERE t.goal_id = g.goal_id AND t.state = 'open'))`;
    return goal;
  });
}

/** Files of scenarios that no longer exist. */
function removeStrays(): void {
  const strays = scenarioNames().filter((name) => !(name in scenarios));
  for (const name of strays) rmSync(join(HISTORIES, `${name}.json.gz`));
}
