import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { compiled } from '../support/compiled.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';

const entry = compiled('src/cli/main.ts');
const long = reply.call('run_command', { command: 'echo begun > begun; sleep 600' });

/** Goals that no worker of the test's own process takes up, only pods of the pool "shop". */
export const openPodGoals = (): Promise<ScriptedGoals> =>
  openScriptedGoals(
    {
      works: sequence([long, write, claim]),
      waits: sequence([write, claim]),
      proves: sequence([write, claim]),
    },
    { worker: false, environment: { GOALKEEPER_POOL: 'shop', GOALKEEPER_LOG: 'info' } },
  );

interface Pod {
  readonly pool?: string;
  readonly workspace?: string;
}

/** The command line's worker with a host name and process numbers of its own. */
export function startPod(
  { world }: ScriptedGoals,
  name: string,
  { pool = 'shop', workspace }: Pod = {},
) {
  const { environment, temporal, database } = world;
  // It sees no process of this machine, and would take their scratch for that of dead ones.
  const scratch = mkdtempSync(join(tmpdir(), 'goalkeeper-pod-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const names = '--uts --pid --fork --mount-proc --kill-child'.split(' ');
  const program = ['sh', '-c', 'hostname "$0"; exec "$@"', name, process.execPath, entry, 'worker'];
  if (workspace !== undefined) program.push('--workspace', workspace);
  const child = spawn('unshare', [...names, ...program], {
    env: {
      PATH: process.env.PATH,
      ...environment,
      GOALKEEPER_POOL: pool,
      TMPDIR: scratch,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // `unshare` waits for it, and takes it along where it is killed itself.
    const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    process.kill(Number(inside.trim()), signal);
    await exit;
  };
  onTestFinished(() => end('SIGKILL'));
  return {
    end,
    exit,
    says: (words: string) => waitUntil(() => said.includes(words)),
    serves: () =>
      waitUntil(
        async () =>
          (
            await database`SELECT FROM pool WHERE name = ${pool} AND starts_with(machine, ${`${name}/`})`
          ).length > 0 && (await database`SELECT FROM worker WHERE host = ${pool}`).length > 0,
      ),
  };
}

const slowly = { kind: 'command', command: 'sleep 4; test -e answer.txt' } as const;

/** The pod of its workspace dies under a goal, and one of another pool takes the workspace up by its name. */
export async function movesToAnotherPool(
  goals: ScriptedGoals,
  does: 'works' | 'proves',
): Promise<Goal> {
  const { world } = goals;
  const first = startPod(goals, `${does}-1`);
  await first.serves();
  const goalId = await goals.start(does, does === 'proves' ? { criteria: [slowly] } : {});
  const isUnderWay = () =>
    does === 'works'
      ? world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`
      : world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND call_id LIKE 'gate.%'`;
  await waitUntil(async () => (await isUnderWay()).length > 0);
  await first.end('SIGKILL');
  for (const table of ['pool', 'worker'])
    await world.database`
      UPDATE ${world.database(table)} SET seen_at = now() - interval '61 seconds'`;
  const { workspace } = await world.client.get<Goal>(`/v1/goals/${goalId}`);
  const second = startPod(goals, `${does}-2`, {
    pool: `mart-${does}`,
    workspace: `${workspace.name}=${workspace.path}`,
  });
  await second.serves();
  const goal = await goals.rest(goalId);
  await second.end('SIGTERM');
  return goal;
}
