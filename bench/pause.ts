import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Goal } from '../schema/goal.ts';
import { measureRawLoop } from './raw-loop.ts';
import { quantile, round } from './statistics.ts';
import { openWorld, type World } from './world.ts';

const LOOK_EVERY_MS = 5;
const PATIENCE_MS = 30_000;

interface Pause {
  /** Milliseconds until the API answered, and until what ran was stopped. */
  readonly answered: number;
  readonly stopped: number;
}

/** From the POST of a pause to its answer, and to the end of the model call or command. */
export async function measurePause(pauses = 30) {
  const world = await openWorld();
  try {
    const raw = await measureRawLoop(world, { turns: 50, goals: 10 });
    const streams = await world.start('streams 0');
    const calls = await repeat(pauses, (number) => pauseCall(world, streams.goalId, number));
    const sleeps = await world.start('sleeps 0');
    const commands = await repeat(pauses, () => pauseCommand(world, sleeps));
    const answered = [...calls, ...commands].map((pause) => pause.answered);
    return {
      pauses: `${calls.length} calls, ${commands.length} commands`,
      ...summary('answer', answered),
      ...summary(
        'callStopped',
        calls.map((pause) => pause.stopped),
      ),
      ...summary(
        'commandStopped',
        commands.map((pause) => pause.stopped),
      ),
      rawTurnMs: raw.turnMs,
    };
  } finally {
    await world.close();
  }
}

async function repeat(times: number, act: (number: number) => Promise<Pause>): Promise<Pause[]> {
  const pauses: Pause[] = [];
  for (let number = 0; number < times; number += 1) pauses.push(await act(number));
  return pauses;
}

const summary = (name: string, values: readonly number[]) => ({
  [`${name}Ms`]: round(quantile(values, 0.5), 0),
  [`${name}MsP95`]: round(quantile(values, 0.95), 0),
  [`${name}MsMax`]: round(Math.max(...values), 0),
});

const now = () => performance.timeOrigin + performance.now();
const send = ({ client }: World, goalId: string, verb: 'pause' | 'resume') =>
  client.send<Goal>('POST', `/v1/goals/${goalId}/${verb}`, {});

async function pauseCall(world: World, goalId: string, number: number): Promise<Pause> {
  await look(async () => (await world.served(goalId)).asked.length > number);
  await delay(100 + Math.random() * 200);
  const postedAt = now();
  await send(world, goalId, 'pause');
  const answered = now() - postedAt;
  const stoppedAt = await look(async () => (await world.served(goalId)).stopped[number] ?? null);
  await send(world, goalId, 'resume');
  return { answered, stopped: stoppedAt - postedAt };
}

let commands = 0;

async function pauseCommand(world: World, { goalId }: Goal): Promise<Pause> {
  const name = ['sleep', `600.${commands}`, ''].join('\0');
  commands += 1;
  const pid = await look(() => pidOf(name));
  await delay(100 + Math.random() * 200);
  const postedAt = now();
  const gone = look(async () => (isAlive(pid) ? null : now()));
  await send(world, goalId, 'pause');
  const answered = now() - postedAt;
  const stopped = (await gone) - postedAt;
  await look(async () => hasSettled(world, goalId));
  await send(world, goalId, 'resume');
  return { answered, stopped };
}

/** Every command that was begun has its receipt. */
async function hasSettled({ database }: World, goalId: string): Promise<boolean> {
  const [rows] = await database<{ started: number; settled: number }[]>`
    SELECT count(*) FILTER (WHERE phase = 'started')::int AS started,
      count(*) FILTER (WHERE phase = 'settled')::int AS settled
    FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`;
  return rows !== undefined && rows.started === rows.settled;
}

/** Its sandbox has process numbers of its own: the machine's is found by what runs. */
async function pidOf(commandLine: string): Promise<number | null> {
  for (const pid of await readdir('/proc')) {
    const found = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (found === commandLine) return Number(pid);
  }
  return null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function look<Found>(find: () => Promise<Found>): Promise<NonNullable<Found>> {
  for (const deadline = now() + PATIENCE_MS; now() < deadline; await delay(LOOK_EVERY_MS)) {
    const found = await find();
    if (found) return found as NonNullable<Found>;
  }
  throw new Error(`it never came to that: ${find}`);
}
