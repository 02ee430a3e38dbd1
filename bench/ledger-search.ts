import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/stack/migrations.ts';
import { startPostgres } from '../src/stack/postgres.ts';
import { type Database, openDatabase } from '../src/store/client.ts';
import { type ChainHead, chainStart } from '../src/store/ledger/ledger-chain.ts';
import { ledgerKeys } from '../src/store/ledger/ledger-keys.ts';
import { chainEntry } from '../src/store/ledger/ledger-row.ts';
import { createLedgerVerifier } from '../src/store/ledger/ledger-verify.ts';
import { readLedgerPages } from '../src/store/reads/reader-ledger.ts';
import { median, round } from './statistics.ts';

const GOAL = 'g-bench';
const CALLS = 5000;
const OUTPUT_BYTES = 4000;

/** 10,000 rows of one goal, half of them with an output of 4 KB. */
export async function measureLedgerSearch() {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-bench-'));
  const postgres = await startPostgres({ home });
  const db = openDatabase(postgres.url);
  try {
    await migrate(postgres.url);
    await fill(db);
    const { ledger } = readLedgerPages(db);
    const verifier = createLedgerVerifier(db, ledgerKeys([]));
    const search = (q: string) => medianOf(() => ledger(GOAL, { q, limit: 50 }));
    return {
      'search, found on the first page, ms': await search('printed by call 1'),
      'search, found in the last row only, ms': await search(`by call ${CALLS}.`),
      'search, found nowhere, ms': await search('nowhere to be found'),
      'whole chain walked, ms': await timed(() => verifier.quick(GOAL)),
      'the same, remembered, ms': await medianOf(() => verifier.quick(GOAL)),
    };
  } finally {
    await db.end();
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
}

async function fill(db: Database): Promise<void> {
  let head: ChainHead = chainStart(GOAL);
  for (let call = 1; call <= CALLS; call += 1) {
    const callId = `t1.s${call}.0`;
    const common = { callId, turn: 1, step: call, token: 1, tool: 'run_command' } as const;
    const asked = { command: `npm test -- --shard ${call}` };
    const output = Buffer.from(`printed by call ${call}. `.padEnd(OUTPUT_BYTES, 'lorem ipsum '));
    for (const entry of [
      { ...common, phase: 'started' as const, effect: 'write' as const, arguments: asked },
      {
        ...common,
        phase: 'settled' as const,
        effect: 'write' as const,
        outcome: 'succeeded' as const,
        receipt: { exitCode: 0, command: asked.command, outputBytes: OUTPUT_BYTES },
        outputRef: `${GOAL}/${callId}@1`,
      },
    ]) {
      const row = chainEntry(GOAL, entry, head, null);
      await db`INSERT INTO ledger ${db({ ...row, body: db.json(row.body as never) })}`;
      head = { seq: row.seq, hash: row.hash };
    }
    await db`INSERT INTO output_chunk VALUES (${`${GOAL}/${callId}@1`}, 0, ${output}, '')`;
  }
  await db`INSERT INTO journal (goal_id, ledger_seq, ledger_head) VALUES (${GOAL}, ${head.seq}, ${head.hash})`;
  await db`ANALYZE`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return round(performance.now() - begun);
}

async function medianOf(work: () => Promise<unknown>, rounds = 15): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < rounds; run += 1) times.push(await timed(work));
  return round(median(times));
}
