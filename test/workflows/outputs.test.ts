import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { ChainVerdict, LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { temporalClient } from './helpers.ts';

const LINE = 'all work and no play makes a long log of it 0123456789012345678\n';
const bytesOf = (lines: number) => lines * LINE.length;
/** 200 KB, and 20 MB with a needle in its middle. */
const SMALL = 3125;
const LARGE = 312_500;
const print = (lines: number) => `yes "${LINE.trim()}" | head -n ${lines}`;
const printLarge = `${print(LARGE / 2)}; echo "the Nadel in ünï-code"; ${print(LARGE / 2)}`;

let world: GoalWorld;
beforeAll(async () => {
  const script = sequence([
    reply.call('run_command', { command: print(SMALL) }),
    reply.call('run_command', { command: printLarge }),
    reply.call('run_command', { command: 'touch answer.txt' }),
    reply.call('attempt_completion', { result: 'Done.' }),
  ]);
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

interface LedgerPage {
  readonly items: readonly LedgerRow[];
}

async function fetchOutput(goalId: string, seq: number, query = ''): Promise<Buffer> {
  const url = `${world.url}/v1/goals/${goalId}/ledger/${seq}/output${query}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKENS.viewer}` } });
  const body = Buffer.from(await answer.arrayBuffer());
  expect(Number(answer.headers.get('content-length'))).toBe(body.byteLength);
  return body;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('outputs of 200 KB and 20 MB', () => {
  test('are kept whole, found and read in part, and slow neither the goal nor Temporal', async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const memory = process.memoryUsage().rss;
    delay.enable();
    const path = await world.workspace({});
    const criteria = [{ kind: 'file' as const, path: 'answer.txt', exists: true }];
    const { goalId } = await world.start({ objective: 'print', workspace: { path }, criteria });
    await world.until(goalId, ({ status }) => status === 'complete');
    delay.disable();
    const ledger = (query: string) =>
      world.client.get<LedgerPage>(`/v1/goals/${goalId}/ledger${query}`);
    const runs = (await ledger('?tool=run_command')).items.filter((row) => row.receipt);
    const [small, large] = runs;
    if (small === undefined || large === undefined) throw new Error('two commands ran');
    const figures = {
      smallMs: small.receipt?.durationMs,
      largeMs: large.receipt?.durationMs,
      largeToSettledMs: settlingTime((await ledger('?tool=run_command')).items, large),
      longestBlockMs: Math.round(delay.max / 1e6),
      grownMb: Math.round((process.memoryUsage().rss - memory) / 1e6),
    };
    if (process.env.MEASURE) console.log(figures);
    expect(small.receipt?.outputBytes).toBe(bytesOf(SMALL));
    const whole = await fetchOutput(goalId, large.seq);
    expect(whole.byteLength).toBe(large.receipt?.outputBytes);
    expect(whole.byteLength).toBeGreaterThan(20_000_000);
    expect(sha256(whole)).toBe(large.receipt?.outputSha256);
    const part = await fetchOutput(goalId, large.seq, '?offset=262100&limit=524400');
    expect(part.equals(whole.subarray(262_100, 262_100 + 524_400))).toBe(true);
    for (const needle of ['Nadel in', 'the nadel', 'in ünï']) {
      const found = await ledger(`?q=${encodeURIComponent(needle)}&tool=run_command`);
      expect(found.items.map(({ seq }) => seq)).toContain(large.seq);
      expect(found.items.map(({ seq }) => seq)).not.toContain(small.seq);
    }
    expect((await ledger('?q=nowhere-to-be-found')).items).toEqual([]);
    const verdict = await world.client.get<ChainVerdict>(`/v1/goals/${goalId}/ledger/verify`);
    expect(verdict.holds).toBe(true);
    expect(figures.longestBlockMs).toBeLessThan(10_000);
    expect(figures.grownMb).toBeLessThan(400);
  });

  test('reach neither the model whole nor the history', async () => {
    const sizes = world.model.requests.map(({ messages }) => JSON.stringify(messages).length);
    expect(Math.max(...sizes)).toBeLessThan(120_000);
    const temporal = temporalClient(world);
    try {
      for await (const { workflowId } of temporal.workflow.list()) {
        const { historySize } = await temporal.workflow.getHandle(workflowId).describe();
        expect(historySize).toBeLessThan(60_000);
      }
    } finally {
      await temporal.connection.close();
    }
  });
});

/** From the command's end to its stored row: reading, masking, hashing and storing. */
function settlingTime(rows: readonly LedgerRow[], settled: LedgerRow): number {
  const started = rows.find((row) => row.callId === settled.callId && row.phase === 'started');
  const took = Date.parse(settled.at) - Date.parse(started?.at ?? '');
  return took - (settled.receipt?.durationMs ?? 0);
}
