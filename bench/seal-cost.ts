import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { Payload } from '@temporalio/common';
import type { Fence } from '../src/contract/fence.ts';
import { emptyTurnFacts } from '../src/goal/decision/empty-turn-facts.ts';
import { sealedKeys } from '../src/sealed/keys.ts';
import { beginSealing } from '../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../src/store/ledger/ledger-keys.ts';
import { createPayloadCodec } from '../src/temporal/payload-codec.ts';
import {
  answeredStep,
  type OpenRecord,
  openRecord,
  sentStep,
  settledCall,
  settledTurn,
  startedCall,
} from '../test/store/record-fixture.ts';
import { setup } from '../test/support/global-setup.ts';
import { mean, median, round } from './statistics.ts';

/**
 * `npx tsx bench/seal-cost.ts [--rounds 60]`: what a ledger key adds to what a step and a turn store,
 * where it is added: in one process and one PostgreSQL, with and without a key by turns, in processor
 * time. Whole stacks beside each other (`protections.ts`) differ by more than that from round to round.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
const ROUNDS = Number(values.rounds);
const [STEPS, TURNS] = [50, 10];
const TEXT = 'x'.repeat(900);

type Way = 'with' | 'without';
interface Used {
  readonly node: number;
  readonly postgres: number;
}

/** Milliseconds of a processor, by the kernel's own clock. */
const ofProcess = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

async function used({ db }: OpenRecord): Promise<Used> {
  const backends = await db<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()`;
  const { user, system } = process.cpuUsage();
  const postgres = backends.reduce((sum, { pid }) => sum + ofProcess(pid), 0);
  return { node: (user + system) / 1000, postgres };
}

async function step({ journal }: OpenRecord, fence: Fence, turn: number, step: number) {
  const place = { turn, step };
  const call = `t${turn}.s${step}.0`;
  const answer = answeredStep(step);
  const content = {
    ...answer.content,
    calls: answer.content.calls.map((one) => ({ ...one, callId: call })),
  };
  await journal.beginStep(fence, { ...sentStep(step), ...place });
  await journal.commitStep(fence, {
    ...{ ...answer, ...place, content, activeMs: 15 * step },
    firstCall: startedCall(step, { ...place, callId: call }),
  });
  await journal.settleCall(fence, settledCall(step, { ...place, callId: call, text: TEXT }));
}

/** @returns what one of `count` took */
async function costOf(world: OpenRecord, count: number, play: () => Promise<void>): Promise<Used> {
  const before = await used(world);
  await play();
  const after = await used(world);
  return {
    node: (after.node - before.node) / count,
    postgres: (after.postgres - before.postgres) / count,
  };
}

async function begin(world: OpenRecord) {
  const opened = await world.openTurn();
  await world.db`UPDATE workspace SET lease_goal_id = NULL`;
  for (let at = 1; at <= 5; at += 1) await step(world, opened.fence, 1, at);
  return opened;
}

async function steps(world: OpenRecord): Promise<Used> {
  const { fence } = await begin(world);
  return await costOf(world, STEPS, async () => {
    for (let at = 1; at <= STEPS; at += 1) await step(world, fence, 1, at + 5);
  });
}

/** A turn is opened, briefed, has two steps, and is decided. */
async function turns(world: OpenRecord): Promise<Used> {
  const { execution, fence, goalId } = await begin(world);
  const settle = async (turn: number, expectedRevision: number) => {
    await world.record.recordTurn(
      execution,
      settledTurn(
        { action: 'continue', next: 'nudge' },
        { expectedRevision, facts: emptyTurnFacts(turn, 'nudge', 'agent', 'yield') },
      ),
    );
  };
  const revision = async () => {
    const [row] = await world.db<{ revision: number }[]>`
      SELECT revision FROM goal WHERE goal_id = ${goalId}`;
    return row?.revision ?? 0;
  };
  await settle(1, await revision());
  let at = await revision();
  const first = at;
  await playTurn(2);
  const growth = at - first;
  return await costOf(world, TURNS, async () => {
    for (let turn = 3; turn < TURNS + 3; turn += 1) await playTurn(turn);
  });

  async function playTurn(turn: number): Promise<void> {
    await world.journal.openTurn(fence, { turn, kind: 'nudge', hostText: 'Go on.' });
    await world.journal.brief(goalId);
    for (const one of [1, 2]) await step(world, fence, turn, one);
    await settle(turn, at);
    at = turn === 2 ? await revision() : at + growth;
  }
}

function tell(what: string, runs: readonly Record<Way, Used>[]): void {
  for (const part of ['node', 'postgres'] as const) {
    const [having, lacking] = (['with', 'without'] as const).map((way) =>
      round(median(runs.map((run) => run[way][part])), 3),
    );
    const added = runs.map((run) => run.with[part] - run.without[part]);
    const centre = mean(added);
    const variance = mean(added.map((one) => (one - centre) ** 2));
    const error = Math.sqrt(variance / added.length);
    console.log(
      `${what}: ${part} ${having} with, ${lacking} without; a key adds ${round(centre, 3)} ± ${round(error, 3)} ms`,
    );
  }
}

async function codecCost(): Promise<void> {
  const keys = sealedKeys(['k'.repeat(32)], tmpdir());
  const codec = createPayloadCodec(keys, { is: 'client' });
  const context = { type: 'workflow', workflowId: 'goal:g:1', namespace: 'default' } as const;
  const payload: Payload = {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(JSON.stringify({ text: TEXT })),
  };
  const TIMES = 20_000;
  for (let warm = 0; warm < 2; warm += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < TIMES; at += 1)
      await codec.decode(await codec.encode([payload], context), context);
    const { user, system } = process.cpuUsage(before);
    if (warm === 1)
      console.log(`a payload of 1 KB, there and back: ${round((user + system) / TIMES, 1)} µs`);
  }
}

console.log(
  `${new Date().toISOString().slice(0, 16)} · ${cpus().length} × ${cpus()[0]?.model} · Linux ${release()} · Node ${process.version} · load ${loadavg()[0]?.toFixed(1)}`,
);
await codecCost();
const stop = await setup();
try {
  const keys = ledgerKeys(['a key that nobody guesses']);
  const worlds = {
    with: await openRecord(keys),
    without: await openRecord(noKeys),
  };
  await beginSealing(worlds.with.store.sql, keys);
  for (const [what, measure] of Object.entries({ step: steps, turn: turns })) {
    for (const world of Object.values(worlds))
      for (let warm = 0; warm < 5; warm += 1) await measure(world);
    const runs: Record<Way, Used>[] = [];
    for (let at = 0; at < ROUNDS; at += 1) {
      const order: Way[] = at % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
      const run: Partial<Record<Way, Used>> = {};
      for (const way of order) run[way] = await measure(worlds[way]);
      runs.push(run as Record<Way, Used>);
    }
    tell(what, runs);
  }
  for (const world of Object.values(worlds)) await world.close();
} finally {
  await stop();
}
process.exit(0);
