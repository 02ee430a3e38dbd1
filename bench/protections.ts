import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { listProcesses } from '../src/process/process-identity.ts';
import { processorTime } from './processor-time.ts';
import { gaps, median, round } from './statistics.ts';
import { asksAtLast, openWorld, type World } from './world.ts';

/**
 * `npm run build && npx tsx bench/protections.ts [--rounds 10]
 * [--without codec,seals,guard]`: processor time of a step and of a turn, and how long each takes
 * beside the model, with all that protects what Temporal is told and what the record says, and
 * without: in turns, on servers of their own that are up side by side. Orders are missing, because
 * neither a step nor a turn makes one.
 *
 * No setting of the service switches encryption or guard off, so "without" is a copy of the build
 * whose codec passes everything on and whose Temporal listens on the machine, without a ledger key.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    steps: { type: 'string', default: '200' },
    turns: { type: 'string', default: '40' },
    without: { type: 'string', default: 'codec,seals,guard' },
  },
});
const [STEPS, TURNS, ROUNDS] = [values.steps, values.turns, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const WARM_UP = 300;
/** What is measured; the rest protects both. */
const left = new Set(values.without.split(','));

const PARTS = ['worker', 'postgres', 'temporal', 'up'] as const;
type Used = Record<(typeof PARTS)[number], number>;
/** Milliseconds a step or turn: of processors, and on the clock while the model had no part. */
interface Cost {
  readonly used: Used;
  readonly elapsed: number;
}

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const bare = join(dirname(dist), `dist-bare-${process.pid}`);

const PLAIN_CODEC = `
export class PayloadRefused extends Error {}
export const createPayloadCodec = () => ({ encode: async (all) => all, decode: async (all) => all });
`;

function makeBare(): void {
  cpSync(dist, bare, { recursive: true });
  const replace = (path: string, from: RegExp, to: string) => {
    const file = join(bare, 'src', path);
    const text = readFileSync(file, 'utf8');
    if (!from.test(text)) throw new Error(`${path} is not what it was`);
    writeFileSync(file, text.replace(from, to));
  };
  if (left.has('codec')) replace('temporal/payload-codec.js', /[\s\S]+/, PLAIN_CODEC);
  if (!left.has('guard')) return;
  replace(
    'stack/embedded-temporal.js',
    /await whyNoOwnNetwork\(\)/,
    "'it is left out, to be measured'",
  );
}

type Way = 'with' | 'without';

async function openWay(way: Way): Promise<World> {
  const sealed = { environment: { GOALKEEPER_LEDGER_KEY: 'k'.repeat(32) } };
  if (way === 'with') return await openWorld(sealed);
  const { startStack } = (await import(
    pathToFileURL(join(bare, 'src/stack/up.js')).href
  )) as typeof import('../src/stack/up.ts');
  const entry = join(bare, 'src/cli/main.js');
  if (!left.has('seals')) return await openWorld({ ...sealed, entry, start: startStack });
  delete process.env.GOALKEEPER_LEDGER_KEY;
  return await openWorld({ entry, start: startStack });
}

/** Milliseconds; the servers behind a relay and those of `up` itself are counted. */
async function used(world: World): Promise<Used> {
  const { worker, postgres } = await processorTime(world);
  const { pid } = JSON.parse(readFileSync(join(world.home, 'temporal.pid'), 'utf8')) as {
    pid: number;
  };
  const below = new Set([pid]);
  const entries = listProcesses();
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const entry of entries) if (below.has(entry.parent)) below.add(entry.pid);
  }
  const temporal = [...below].reduce((sum, one) => sum + ofProcess(one), 0);
  const own = process.cpuUsage();
  return { worker, postgres, temporal, up: (own.user + own.system) / 1000 };
}

function ofProcess(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function play(world: World, objective: string, count: number): Promise<Cost> {
  const before = await used(world);
  const { goalId } = await world.start(objective);
  await world.until(goalId, asksAtLast, 600_000);
  const after = await used(world);
  const each = PARTS.map((part) => [part, (after[part] - before[part]) / count]);
  const waited = gaps(await world.served(goalId)).reduce((total, gap) => total + gap, 0);
  return { used: Object.fromEntries(each) as Used, elapsed: waited / count };
}

const processorOf = ({ used }: Cost) => PARTS.reduce((total, part) => total + used[part], 0);

console.log(
  `${new Date().toISOString().slice(0, 16)} · ${cpus().length} × ${cpus()[0]?.model} · Linux ${release()} · Node ${process.version} · load ${loadavg()[0]?.toFixed(1)}`,
);
makeBare();
try {
  const worlds = { with: await openWay('with'), without: await openWay('without') };
  try {
    for (const world of Object.values(worlds)) await play(world, `steps ${WARM_UP}`, WARM_UP);
    for (const [what, count] of [
      ['step', STEPS],
      ['turn', TURNS],
    ] as const) {
      const runs: Record<Way, Cost>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        // Each comes first as often as second.
        const order: Way[] = round % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
        const run: Partial<Record<Way, Cost>> = {};
        for (const way of order) run[way] = await play(worlds[way], `${what}s ${count}`, count);
        runs.push(run as Record<Way, Cost>);
      }
      tell(what, runs);
    }
  } finally {
    for (const world of Object.values(worlds)) await world.close();
  }
} finally {
  rmSync(bare, { recursive: true, force: true });
}

/** The ratio is the median of the rounds' own, as two plays right after another meet one machine. */
function tell(what: string, runs: readonly Record<Way, Cost>[]): void {
  const both = (of: (cost: Cost) => number) =>
    (['with', 'without'] as const)
      .map((way) => round(median(runs.map((run) => of(run[way])))))
      .join(' / ');
  const compare = (name: string, of: (cost: Cost) => number) => {
    const ratios = runs.map((run) => of(run.with) / of(run.without)).sort((a, b) => a - b);
    const [low, high] = [ratios.at(0) ?? 0, ratios.at(-1) ?? 0];
    console.log(
      `${what}: ${name} ${both(of)} ms, ratio ${round(median(ratios), 3)} of ${runs.length} rounds (${round(low)} to ${round(high)})`,
    );
  };
  compare('processor time', processorOf);
  for (const part of PARTS) console.log(`${what}:   ${part} ${both(({ used }) => used[part])} ms`);
  compare('on the clock', ({ elapsed }) => elapsed);
}
