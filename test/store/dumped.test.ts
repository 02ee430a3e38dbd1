import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Executor } from '../../src/store/client.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import {
  chainStart,
  genesisHash,
  hashRow,
  isBreak,
  walkRows,
} from '../../src/store/ledger/ledger-chain.ts';
import { type LedgerKey, ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from '../../src/store/ledger/ledger-row.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import {
  type OpenRecord,
  openRecord,
  request,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

/** What somebody learns, and can make, who has a copy of the database and not its key. */
const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const next = { action: 'nudge', next: 'nudge' } as const;

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

async function worked(): Promise<string> {
  const { execution, fence, goalId } = await stores.openTurn();
  for (const step of [1, 2]) {
    await stores.journal.startCall(fence, startedCall(step));
    await stores.journal.settleCall(fence, settledCall(step));
  }
  await stores.record.recordTurn(execution, settledTurn(next));
  return goalId;
}

const rowsOf = (goalId: string, db: Executor = stores.db) =>
  db<StoredLedgerRow[]>`
    SELECT goal_id, seq, phase, call_id, turn, step, token, tool, effect, outcome, body, output_ref,
      at, previous, hash
    FROM ledger WHERE goal_id = ${goalId} ORDER BY seq`;

/**
 * Edits a row and signs all of them anew, each behind the one before, with the heads that journal and
 * decision hold: by another key, or by none.
 */
async function signAnew(goalId: string, by: LedgerKey | null): Promise<void> {
  await stores.db.begin(async (tx) => {
    for (const table of ['ledger', 'decision'])
      await tx.unsafe(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
    await tx`UPDATE ledger SET outcome = 'failed' WHERE goal_id = ${goalId} AND seq = 2`;
    let previous = genesisHash(goalId);
    for (const row of await rowsOf(goalId, tx)) {
      const { hash: _, ...unhashed } = toLedgerRow({ ...row, previous });
      const hash = hashRow(unhashed, by);
      await tx`
        UPDATE ledger SET previous = ${previous}, hash = ${hash}
        WHERE goal_id = ${goalId} AND seq = ${row.seq}`;
      previous = hash;
    }
    await tx`UPDATE decision SET ledger_head = ${previous} WHERE goal_id = ${goalId}`;
    await tx`UPDATE journal SET ledger_head = ${previous} WHERE goal_id = ${goalId}`;
    for (const table of ['ledger', 'decision'])
      await tx.unsafe(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  });
}

const verdictOf = (goalId: string, by = keys) => createLedgerVerifier(stores.db, by).whole(goalId);

test('ROW-129 a ledger whose every row is signed anew is found, by whatever key, and one that was not holds', async () => {
  const [true_, plain, foreign] = [await worked(), await worked(), await worked()];
  const theirs = ledgerKeys(['a key of somebody else']);
  for (const [goalId, by] of [
    [plain, noKeys],
    [foreign, theirs],
  ] as const) {
    await signAnew(goalId, by.sealing);
    const rows = (await rowsOf(goalId)).map(toLedgerRow);
    // Whole in itself.
    expect(isBreak(walkRows(chainStart(goalId), rows, by, null))).toBe(false);
  }
  expect(await verdictOf(true_)).toMatchObject({ holds: true, sealedFrom: 1 });
  expect(await verdictOf(plain)).toMatchObject({ holds: false, fault: 'unsealed', at: 1 });
  expect(await verdictOf(foreign)).toMatchObject({ holds: false, fault: 'key', at: 1 });
});

test('ROW-129 without the key nobody tells a true ledger from a forged one', async () => {
  const [true_, forged] = [await worked(), await worked()];
  await signAnew(forged, { keyId: keys.sealing?.keyId ?? '', secret: 'guessed' });
  for (const by of [noKeys, ledgerKeys(['a key of somebody else'])]) {
    const told = await verdictOf(true_, by);
    expect(told).toMatchObject({ holds: false, fault: 'key' });
    expect(await verdictOf(forged, by)).toEqual(told);
  }
  expect(await verdictOf(true_)).toMatchObject({ holds: true });
  expect(await verdictOf(forged)).toMatchObject({ holds: false, fault: 'edited', at: 1 });
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('ROW-130 the hash of a request confirms no guess of what is masked in it, and its retry is known under a new key too', async () => {
  const bodyHash = hashOf('{"objective":"use the word gazebo"}');
  const asked = request({ bodyHash, body: { objective: 'use the word [masked]' } });
  await stores.intake.reserveRequest(asked);
  const tables = await stores.db<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await stores.db.unsafe(`SELECT t::text AS row FROM "${name}" t`);
    expect(rows.filter(({ row }) => String(row).includes(bodyHash))).toEqual([]);
  }
  const under = (secrets: string[], hash = bodyHash) =>
    createIntake(stores.store, { ledgerKeys: ledgerKeys(secrets) })
      .reserveRequest({ ...asked, bodyHash: hash, commitId: 'another' })
      .then(
        ({ kind }) => kind,
        ({ code }: { code: string }) => code,
      );
  expect(await under(['the next key of them', SECRET])).toBe('proceed');
  expect(await under([SECRET], hashOf('another'))).toBe('idempotency_mismatch');
  expect(await under(['the next key of them'])).toBe('idempotency_mismatch');
});

test('ROW-130 a request from before the key is known by its former hash', async () => {
  const asked = request();
  await createIntake(stores.store, { ledgerKeys: noKeys }).reserveRequest(asked);
  expect(await stores.intake.reserveRequest({ ...asked, commitId: 'another' })).toEqual({
    kind: 'proceed',
    commitId: asked.commitId,
  });
});
