import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import type { TriggerTerms } from '../../src/contract/triggers.ts';
import { sealedKeys } from '../../src/sealed/keys.ts';
import { createSessions } from '../../src/store/intake/sessions.ts';
import { createTokenStore } from '../../src/store/intake/tokens.ts';
import { createTriggers } from '../../src/store/intake/triggers.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { isFree } from '../../src/store/ledger/counted-table.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { SESSION_COLUMNS } from '../../src/store/ledger/rights-seal.ts';
import { TRIGGER_COLUMNS } from '../../src/store/ledger/trigger-seal.ts';
import {
  leaveCovered,
  mutation,
  type OpenRecord,
  openRecord,
  settledTurn,
} from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const entry = {
  ...{ who: 'ada', role: 'admin', address: null, what: 'token_made' },
  ...{ subject: null, result: 'done', data: {} },
} as never;
const hash = () => randomBytes(32).toString('hex');

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const told = async (subject: string) =>
  (
    await stores.db`SELECT 1 FROM security_log WHERE what = 'record_refused' AND subject = ${subject}`
  ).count;

/** What somebody kept of a row, and puts back later. */
async function kept(table: string, where: string): Promise<() => Promise<unknown>> {
  const [row] = await attack(`SELECT to_jsonb(t) AS row FROM "${table}" t WHERE ${where}`);
  const json = JSON.stringify(row?.row).replaceAll("'", "''");
  return () =>
    attack(
      `INSERT INTO "${table}" SELECT * FROM jsonb_populate_record(NULL::"${table}", '${json}')`,
    );
}

const stateOf = async (goalId: string) => {
  const [row] =
    await attack(`SELECT snapshot, status, archived_at, revision, activity, pause, is_open
    FROM goal JOIN journal USING (goal_id) WHERE goal_id = '${goalId}'`);
  return row as Record<string, unknown>;
};

async function putBack(goalId: string, state: Record<string, unknown>): Promise<void> {
  const json = (value: unknown) =>
    value === null ? 'NULL' : `'${JSON.stringify(value).replaceAll("'", "''")}'`;
  await attack(`UPDATE goal SET snapshot = ${json(state.snapshot)}, status = '${state.status}',
    archived_at = NULL, revision = ${state.revision}, activity = ${json(state.activity)},
    pause = ${json(state.pause)} WHERE goal_id = '${goalId}'`);
  await attack(`UPDATE journal SET is_open = ${state.is_open} WHERE goal_id = '${goalId}'`);
}

const freed = () => stores.db`UPDATE workspace SET lease_goal_id = NULL`;

describe('where a goal stands', () => {
  it('ROW-104 a goal that was cleared, or that waits for a person, does nothing by an edit: turn, gate and look refuse, the log tells, verify names it', async () => {
    for (const kind of ['clear', 'pause'] as const) {
      await freed();
      const { goalId, execution } = await stores.openTurn();
      const working = await stateOf(goalId);
      await stores.record.commitMutation(execution, mutation({ kind }), goalId);
      expect(await stores.journal.brief(goalId)).toMatchObject({ goalId });
      expect((await stores.verifier.whole(goalId)).holds).toBe(true);
      await putBack(goalId, working);
      await expect(stores.journal.brief(goalId), kind).rejects.toThrow(RecordAltered);
      expect(await told(goalId)).toBe(1);
      expect(await stores.verifier.whole(goalId)).toMatchObject({
        ...{ holds: false, fault: 'edited', record: { kind: 'state', subject: '' } },
      });
    }
  });

  it('ROW-104 a journal that somebody opened, and a former state with its seal as the newest, hold for nothing', async () => {
    await freed();
    const { goalId, execution } = await stores.openTurn();
    const working = await stateOf(goalId);
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    await attack(`UPDATE journal SET is_open = true WHERE goal_id = '${goalId}'`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    await putBack(goalId, working);
    await attack(`INSERT INTO row_seal SELECT kind, subject, 9, seal FROM row_seal
      WHERE kind = 'state' AND subject = '${goalId}' AND number = 1`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-105 what the service does next vouches for no edit, and each change of its own is sealed', async () => {
    await freed();
    const { goalId, execution } = await stores.openTurn();
    const working = await stateOf(goalId);
    await stores.record.recordTurn(execution, settledTurn({ action: 'continue' } as never));
    const sealed = async () =>
      (await stores.db`SELECT 1 FROM row_seal WHERE kind = 'state' AND subject = ${goalId}`).count;
    const before = await sealed();
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await sealed()).toBe(before + 1);
    await putBack(goalId, { ...working, revision: 9 });
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await sealed()).toBe(before + 1);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });
});

describe('what was ended', () => {
  const sessions = () => createSessions(stores.store, keys);
  const opened = (kind: 'session' | 'code') => ({
    ...{ secretHash: hash(), kind, tokenName: `ada-${hash().slice(0, 6)}` },
    ...{ seconds: 600 },
  });

  it('ROW-106 a session that was signed out, and a code that was used, sign nobody in again', async () => {
    const signedOut = opened('session');
    const named = opened('session');
    const code = opened('code');
    for (const one of [signedOut, named, code]) await sessions().open(one);
    const back = await Promise.all(
      [signedOut, named, code].map(({ secretHash }) =>
        kept('session', `secret_hash = '${secretHash}'`),
      ),
    );
    await sessions().end(signedOut.secretHash, entry);
    // Its row is hidden from who ends it, and comes back later.
    await attack(`DELETE FROM session WHERE secret_hash = '${named.secretHash}'`);
    await sessions().endNamed(named.tokenName, entry);
    const used = { secretHash: hash(), seconds: 60 };
    expect(await sessions().redeem(code.secretHash, used, entry)).not.toBeNull();
    expect(await sessions().find(used.secretHash)).not.toBeNull();
    for (const put of back) await put();
    expect(await sessions().find(signedOut.secretHash)).toBeNull();
    expect(await sessions().find(named.secretHash)).toBeNull();
    expect(
      await sessions().redeem(code.secretHash, { ...used, secretHash: hash() }, entry),
    ).toBeNull();
    expect(await told(`session of ${signedOut.tokenName}`)).toBe(1);
  });

  it('ROW-106 a token that was revoked takes its sessions with it, also hidden ones', async () => {
    const tokens = createTokenStore(stores.store, keys);
    const name = `t-${hash().slice(0, 6)}`;
    await tokens.add(
      {
        ...{ name, secretHash: hash(), role: 'operator', createdBy: 'admin' },
        ...{ workspaces: null, templates: null, expiresAt: null },
      },
      entry,
    );
    const one = { ...opened('session'), tokenName: name };
    await sessions().open(one);
    const put = await kept('session', `secret_hash = '${one.secretHash}'`);
    await attack(`DELETE FROM session WHERE secret_hash = '${one.secretHash}'`);
    await tokens.revoke(name, 'ada', entry);
    await put();
    expect(await sessions().find(one.secretHash)).toBeNull();
  });

  const triggers = () =>
    createTriggers(stores.store, {
      secrets: sealedKeys(['x'.repeat(44)], '/nowhere'),
      ledger: keys,
    });
  const terms = (): TriggerTerms =>
    ({
      ...{ triggerId: hash().slice(0, 24), name: hash().slice(0, 8), kind: 'github' },
      ...{ filter: {}, parameters: {}, mostPerHour: 9, owner: 'ada', ownerRole: 'operator' },
      action: { kind: 'event', name: 'deployed' },
    }) as never;

  it('ROW-107 a trigger that was deleted or paused takes no delivery by a row that comes back', async () => {
    const made = terms();
    await triggers().add(made, 'the secret of its sender', entry);
    expect(await triggers().armed(made.triggerId)).toMatchObject({ isPaused: false });
    expect((await triggers().armed(made.triggerId))?.secret).toBe('the secret of its sender');
    await triggers().pause(made.triggerId, 'ada', entry);
    await attack(`UPDATE inbound_trigger SET paused_at = NULL, paused_by = NULL
      WHERE trigger_id = '${made.triggerId}'`);
    expect((await triggers().armed(made.triggerId))?.secret).toBeNull();
    expect(await told(`trigger ${made.triggerId}`)).toBe(1);
    const other = terms();
    await triggers().add(other, 'secret', entry);
    const put = await kept('inbound_trigger', `trigger_id = '${other.triggerId}'`);
    await triggers().remove(other.triggerId, entry);
    await put();
    expect((await triggers().armed(other.triggerId))?.secret).toBeNull();
    await triggers().journal(other.triggerId, {
      ...{ deliveryId: other.triggerId, externalId: 'x', bodySha256: 'x', isKnownByBody: true },
      ...{ event: 'x', state: 'pending', outcome: { text: 'not yet' } },
      act: { kind: 'event', name: 'deployed', text: 'It is.', values: {} },
    });
    expect(await triggers().claim(other.triggerId)).toBeNull();
    expect((await triggers().delivery(other.triggerId))?.state).toBe('refused');
  });

  it('ROW-108 each column of a session and a trigger is sealed, or named as free with a reason', async () => {
    const made = terms();
    await triggers().add(made, 'secret', entry);
    const one = opened('session');
    await sessions().open(one);
    const tables = [
      ['session', SESSION_COLUMNS, `secret_hash = '${one.secretHash}'`],
      ['inbound_trigger', TRIGGER_COLUMNS, `trigger_id = '${made.triggerId}'`],
    ] as const;
    for (const [table, columns, where] of tables) {
      const stored = await stores.db<{ name: string; type: string }[]>`
        SELECT column_name AS name, udt_name AS type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ${table}`;
      expect(stored.map(({ name }) => name).sort()).toEqual(Object.keys(columns).sort());
      for (const { name, type } of stored) {
        if (isFree(columns[name as keyof typeof columns]) || name === 'secret_hash') continue;
        if (name === 'trigger_id') continue;
        const put = await kept(table, where);
        const other = { jsonb: `'{"other":1}'`, int4: '99', bytea: `'x'`, timestamptz: 'now()' };
        await attack(`UPDATE "${table}" SET "${name}" = ${other[type as keyof typeof other] ?? "'other'"}
          WHERE ${where}`);
        const isKnown =
          table === 'session'
            ? (await sessions().find(one.secretHash)) !== null
            : (await triggers().armed(made.triggerId))?.secret !== null;
        expect(isKnown, `${table}.${name}`).toBe(false);
        await attack(`DELETE FROM "${table}" WHERE ${where}`);
        await put();
      }
    }
    expect(await sessions().find(one.secretHash)).not.toBeNull();
    expect((await triggers().armed(made.triggerId))?.secret).toBe('secret');
  });
});

describe('from before', () => {
  it('ROW-109 what a former version sealed in its row or beside it is taken in once; what it did not is not', async () => {
    const own = {
      secretHash: hash(),
      kind: 'session',
      tokenName: 'lin',
    } as const;
    await createSessions(stores.store, keys).open({ ...own, seconds: 600 });
    const forged = hash();
    await freed();
    const { goalId } = await stores.openTurn();
    await attack(`INSERT INTO session (secret_hash, kind, token_name, expires_at)
      VALUES ('${forged}', 'session', 'eve', now() + interval '1 hour')`);
    await leaveCovered(stores.db, keys, 8);
    await attack(
      `INSERT INTO workspace (name, path, host, marker) VALUES ('late', '/late', 'here', 'm')`,
    );
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
    expect(await stores.journal.brief(goalId)).toMatchObject({ goalId });
    const sessions = createSessions(stores.store, keys);
    expect(await sessions.find(own.secretHash)).not.toBeNull();
    expect(await sessions.find(forged)).toBeNull();
    expect((await stores.reader.workspaces()).map(({ name }) => name)).not.toContain('late');
    expect(await beginSealing(stores.store.sql, keys)).toBe('known');
    expect(await createSessions(stores.store, noKeys).find(forged)).not.toBeNull();
  });
});
