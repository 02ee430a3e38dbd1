import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { compiled } from '../support/compiled.ts';
import { describeWith, PODS } from '../support/needs.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';

const entry = compiled('src/cli/main.ts');
const long = reply.call('run_command', { command: 'echo begun > begun; sleep 600' });

const slowly = { kind: 'command', command: 'sleep 4; test -e answer.txt' } as const;

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      works: sequence([long, write, claim]),
      waits: sequence([write, claim]),
      proves: sequence([write, claim]),
    },
    { worker: false, environment: { GOALKEEPER_POOL: 'shop', GOALKEEPER_LOG: 'info' } },
  );
});
afterAll(() => goals.world.close());

interface Pod {
  readonly pool?: string;
  readonly workspace?: string;
}

/** The command line's worker with a host name and process numbers of its own. */
function startPod(name: string, { pool = 'shop', workspace }: Pod = {}) {
  const { environment, temporal, database } = goals.world;
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

describeWith(PODS, 'machines that change', () => {
  test('POOL-4 a pod with another name goes on where a killed one was, once that is silent', async () => {
    const { world } = goals;
    const first = startPod('pod-1');
    await first.serves();
    const goalId = await goals.start('works');
    await waitUntil(() => world.model.requests.some((request) => goalIdOf(request) === goalId));
    await waitUntil(
      async () =>
        (
          await world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`
        ).length > 0,
    );
    const second = startPod('pod-2');
    await second.says('serves the pool \\"shop\\"');
    await first.end('SIGKILL');
    await world.database`UPDATE pool SET seen_at = now() - interval '61 seconds'`;
    await second.serves();
    const goal = await goals.rest(goalId);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const attempts = await world.database<{ host: string }[]>`
      SELECT host FROM attempt WHERE goal_id = ${goalId} ORDER BY token`;
    expect(attempts.map(({ host }) => host)).toEqual(expect.arrayContaining(['pod-1', 'pod-2']));
    await second.end('SIGTERM');
  });

  test('POOL-5 a pod that is told to stop hands the pool over at once, and the goal goes on', async () => {
    const first = startPod('pod-3');
    await first.serves();
    const second = startPod('pod-4');
    await second.says('serves the pool');
    await first.end('SIGTERM');
    const goalId = await goals.start('waits');
    await second.serves();
    expect(await goals.rest(goalId)).toMatchObject({ status: 'complete' });
    await second.end('SIGTERM');
  });

  test('POOL-6 a worker whose pool another machine took ends what it runs, and exits', async () => {
    const { world } = goals;
    const first = startPod('pod-5');
    await first.serves();
    const goalId = await goals.start('works');
    await waitUntil(
      async () =>
        (
          await world.database`SELECT FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`
        ).length > 0,
    );
    await world.database`UPDATE pool SET machine = 'elsewhere', seen_at = now()`;
    await first.says('elsewhere serves it');
    expect(await first.exit).not.toBe(0);
    await world.database`DELETE FROM pool`;
  });

  test.each(['works', 'proves'] as const)(
    'POOL-7 a goal that %s goes on where another pool takes its workspace up by name',
    async (does) => {
      const { world } = goals;
      const first = startPod(`${does}-1`);
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
      const second = startPod(`${does}-2`, {
        pool: `mart-${does}`,
        workspace: `${workspace.name}=${workspace.path}`,
      });
      await second.serves();
      expect(await goals.rest(goalId)).toMatchObject({ status: 'complete' });
      await second.end('SIGTERM');
    },
  );
});
