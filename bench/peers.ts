import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { openDatabase } from '../src/store/client.ts';
import { measurePlainCommits } from './plain-commits.ts';
import { measureRawLoop } from './raw-loop.ts';
import { gaps, median, round } from './statistics.ts';
import { asksAtLast, openWorld, type World } from './world.ts';

/**
 * `npm run build && npx tsx bench/peers.ts [--rounds 5] [PEER …]`: a turn beside other durable
 * runtimes, in turns on the same PostgreSQL (Restate keeps a store of its own). Theirs is three
 * persisted steps that do nothing; Temporal's two activities that do nothing; Goalkeeper's two model
 * calls and a `read_file`, settled, without the model's own time. So the rows tell what each costs
 * its user, not which is the better store.
 */
const run = promisify(execFile);
const PEERS = ['dbos', 'openworkflow', 'langgraph', 'restate'];
const [TURNS, GOALS, TURNS_EACH] = [40, 50, 10];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const peers = positionals.length > 0 ? positionals : PEERS;
const folder = fileURLToPath(new URL('./peers', import.meta.url));

interface Measured {
  /** Median milliseconds of one turn of a workflow that runs alone. */
  readonly turnMs: number;
  /** Of 50 at once. */
  readonly perSecond: number;
}

async function measurePeer({ ownerDatabaseUrl }: World, peer: string): Promise<Measured> {
  const name = `peer_${peer}`;
  const owner = openDatabase(ownerDatabaseUrl);
  try {
    await owner.unsafe(`CREATE DATABASE ${name}`);
    const url = new URL(ownerDatabaseUrl);
    url.pathname = `/${name}`;
    const { stdout } = await run(process.execPath, ['measure.mjs', peer, url.href], {
      cwd: folder,
      env: { ...process.env, RESTATE_LOGGING: 'ERROR' },
    });
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly turns: readonly number[];
      readonly perSecond: number;
    };
    return { turnMs: median(told.turns), perSecond: told.perSecond };
  } finally {
    await owner.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await owner.end();
  }
}

async function measureOwn(world: World): Promise<Measured> {
  const { goalId } = await world.start(`turns ${TURNS}`);
  await world.until(goalId, asksAtLast);
  const both = gaps(await world.served(goalId));
  const turns = both.flatMap((gap, at) => (at % 2 === 0 ? [gap + (both[at + 1] ?? 0)] : []));
  const started = await Promise.all(
    Array.from({ length: GOALS }, () => world.start(`turns ${TURNS_EACH}`)),
  );
  for (const one of started) await world.until(one.goalId, asksAtLast, 300_000);
  const served = await Promise.all(started.map((one) => world.served(one.goalId)));
  const firstAsked = Math.min(...served.map(({ asked }) => asked[0] ?? 0));
  const lastAnswered = Math.max(...served.map(({ answered }) => answered.at(-1) ?? 0));
  return {
    turnMs: median(turns.slice(0, -1)),
    perSecond: (GOALS * TURNS_EACH * 1000) / (lastAnswered - firstAsked),
  };
}

const measures: Readonly<Record<string, (world: World) => Promise<Measured>>> = {
  goalkeeper: measureOwn,
  async 'raw Temporal'(world) {
    const { turnMs, turnsPerSecond } = await measureRawLoop(world);
    return { turnMs, perSecond: turnsPerSecond };
  },
  ...Object.fromEntries(peers.map((peer) => [peer, (world: World) => measurePeer(world, peer)])),
};

console.log(
  `${new Date().toISOString().slice(0, 16)} · ${cpus().length} × ${cpus()[0]?.model} · Linux ${release()} · Node ${process.version} · load ${loadavg()[0]?.toFixed(1)}`,
);
if (!existsSync(`${folder}/node_modules`)) await run('npm', ['ci', '--no-audit'], { cwd: folder });
const world = await openWorld();
try {
  const found: Record<string, Measured[]> = {};
  const plain: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    plain.push((await measurePlainCommits(world.ownerDatabaseUrl)).stepMs);
    for (const [name, measure] of Object.entries(measures)) {
      const one = await measure(world);
      console.error(`${name}: ${one.turnMs} ms, ${one.perSecond} turns/s`);
      found[name] = [...(found[name] ?? []), one];
    }
  }
  const yardstick = median(plain);
  console.log(`four plain commits of 6 KB: ${round(yardstick)} ms`);
  console.log('| runtime | a turn, ms | all rounds | by plain commits | turns/s of 50 at once |');
  console.log('|---|---|---|---|---|');
  for (const [name, rounds] of Object.entries(found)) {
    const turns = rounds.map(({ turnMs }) => turnMs);
    const turn = median(turns);
    const all = turns.map((one) => round(one, 1)).join(' · ');
    const perSecond = round(median(rounds.map(({ perSecond }) => perSecond)), 0);
    const ratio = round(turn / yardstick, 1);
    console.log(`| ${name} | ${round(turn, 1)} | ${all} | ${ratio} | ${perSecond} |`);
  }
} finally {
  await world.close();
}
process.exit(0);
