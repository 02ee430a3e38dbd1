import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorkerProcess } from '../evidence/worker-process.ts';
import { killProcessesIn, processesIn } from '../support/processes-in.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

/** `CHAOS_KILLS` makes more of them, of each kind. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 20);
/** A goal's three turns take about as long. */
const LONGEST_LIFE_MS = 6000;

const program = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));
const agents = { scripted: { command: process.execPath, args: [program], reads: [repository] } };

let goals: ScriptedGoals;
let worker: ReturnType<typeof startWorkerProcess>;
beforeAll(async () => {
  const environment = { GOALKEEPER_AGENTS: JSON.stringify(agents) };
  goals = await openScriptedGoals({}, { environment, worker: false });
});
afterAll(() => goals.world.close());

const WORDS = 'acp-agent.mjs';
const agentsIn = (path: string) => processesIn(path, WORDS);
const killAgents = (path: string) => killProcessesIn(path, WORDS);

async function killWorker(): Promise<void> {
  await worker.kill();
  worker = startWorkerProcess(goals.world);
}

const kinds: Record<string, (path: string) => Promise<unknown>> = {
  'its agent': killAgents,
  'its worker': killWorker,
  both: (path) => Promise.all([killAgents(path), killWorker()]),
};

test.each(Object.entries(kinds))(
  `AGT-19 ${KILLS} goals of an agent end proven where %s is killed`,
  async (_, kill) => {
    worker = startWorkerProcess(goals.world);
    for (let round = 0; round < KILLS; round += 1) {
      const goalId = await goals.start('labours', { agent: 'scripted' });
      const { workspace } = await goals.world.get(goalId);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
      await kill(workspace.path);
      const goal = await goals.rest(goalId);
      const told = JSON.stringify([goal.pause, await goals.story(goalId)]);
      expect(goal, told).toMatchObject({
        status: 'complete',
        completion: { verification: 'verified' },
      });
      expect(goal.usage.turns).toBeLessThanOrEqual(4);
      const verified = await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
      expect(verified).toMatchObject({ holds: true });
      const rows = await goals.world.database<{ open: number }[]>`
      SELECT count(*)::int AS open FROM ledger AS s
      WHERE s.goal_id = ${goalId} AND s.phase = 'started' AND NOT EXISTS (
        SELECT 1 FROM ledger AS e
        WHERE e.goal_id = s.goal_id AND e.call_id = s.call_id AND e.phase = 'settled')`;
      expect(rows[0]?.open).toBe(0);
      await waitUntil(async () => (await agentsIn(workspace.path)).length === 0);
    }
  },
  1_200_000,
);
