import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import { insertApproval } from '../../src/store/approvals/approvals.ts';
import { storeAnswer } from '../../src/store/approvals/questions.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { BELIEFS } from '../../src/store/ledger/beliefs.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { PIN_COLUMNS } from '../../src/store/ledger/pin-seal.ts';
import { sealingDecided } from '../../src/store/ledger/seal-decided.ts';
import { WRITTEN_TABLES } from '../../src/store/ledger/written-seal.ts';
import { createDeliveryStore } from '../../src/store/notices/deliveries.ts';
import { decideApproval } from '../../src/store/record/decide-approval.ts';
import { lockGoal } from '../../src/store/record/goal-state.ts';
import { readPendingRewind } from '../../src/store/workspaces/rewinds.ts';
import {
  createToolPinStore,
  createToolPinsOfPeople,
} from '../../src/store/workspaces/tool-pins.ts';
import { mutation, type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const freed = () => stores.db`UPDATE workspace SET lease_goal_id = NULL`;
const entry = {
  ...{ who: 'ada', role: 'admin', address: null, what: 'tool_pin_accepted' },
  ...{ subject: 'x', result: 'done', data: {} },
} as never;

describe('each table says how its rows are believed', () => {
  it('ROW-95 those that are written once are the ones that bear a seal, and the document lists all', () => {
    const written = Object.entries(BELIEFS).filter(([, belief]) => belief === 'written');
    expect(written.map(([table]) => table).sort()).toEqual([...WRITTEN_TABLES].sort());
    const told = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
    for (const [table, belief] of Object.entries(BELIEFS)) {
      const how = typeof belief === 'string' ? belief : belief.free;
      expect(told, table).toContain(`| \`${table}\` | ${how} |`);
    }
  });
});

describe('what nobody asked', () => {
  it('ROW-96 an approval that somebody added is decided by nobody', async () => {
    await freed();
    const { goalId } = await stores.openTurn();
    const asked = {
      goalId,
      kind: 'manual',
      turn: 1,
      callId: null,
      data: { subject: 'a' },
    } as const;
    const decide = (approvalId: string) =>
      stores.store.sql.begin(async (tx) => {
        const goal = await lockGoal(tx, goalId);
        if (goal === null) throw new TypeError(goalId);
        const decision = { kind: 'approval', approvalId, decision: 'deny' } as never;
        await decideApproval(tx, keys, goal, mutation(decision) as never, { note: 'No.' });
      });
    await stores.store.sql.begin((tx) => insertApproval(tx, keys, { ...asked, approvalId: 'a-1' }));
    await stores.store.sql.begin((tx) =>
      insertApproval(tx, noKeys, { ...asked, approvalId: 'a-2' }),
    );
    await decide('a-1');
    await expect(decide('a-2')).rejects.toThrow('did not ask a-2');
    expect(
      await stores.db`SELECT approval_id, state FROM approval
      WHERE goal_id = ${goalId} ORDER BY 1`,
    ).toEqual([
      { approval_id: 'a-1', state: 'denied' },
      { approval_id: 'a-2', state: 'open' },
    ]);
  });

  it('ROW-103 an approval that stands there for a moment only decides nothing, and a denial stays', async () => {
    await freed();
    const { goalId } = await stores.openTurn();
    const asked = { goalId, turn: 1, callId: 't1.s1.0', data: { question: 'Is it right?' } };
    const all = { kind: 'approval', approvalId: 'a-3' } as const;
    await stores.store.sql.begin((tx) => insertApproval(tx, keys, { ...asked, ...all }));
    expect(await stores.journal.decidedApprovals(goalId)).toEqual([]);
    const set = (state: string) =>
      attack(`UPDATE approval SET state = '${state}', decided_by = 'ada', decided_at = now()
        WHERE approval_id = 'a-3'`);
    await set('approved');
    await expect(stores.journal.decidedApprovals(goalId)).rejects.toThrow(RecordAltered);
    await expect(stores.journal.askedAbout(goalId, 't1.s1.0')).rejects.toThrow(RecordAltered);
    await attack(`UPDATE approval SET state = 'open', decided_by = NULL, decided_at = NULL
      WHERE approval_id = 'a-3'`);
    await stores.store.sql.begin(async (tx) => {
      const goal = await lockGoal(tx, goalId);
      if (goal === null) throw new TypeError(goalId);
      const decision = { kind: 'approval', approvalId: 'a-3', decision: 'deny' } as never;
      await sealingDecided(tx, keys, goal, () =>
        decideApproval(tx, keys, goal, mutation(decision) as never, { note: 'No.' }),
      );
    });
    expect(await stores.journal.decidedApprovals(goalId)).toHaveLength(1);
    await set('superseded');
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-97 a question that somebody added is answered by nobody', async () => {
    const { goalId } = await stores.openTurn();
    await attack(`INSERT INTO question (question_id, goal_id, turn, text, options)
      VALUES ('q-forged', '${goalId}', 1, 'Which key?', '["this one"]')`);
    const answer = stores.store.sql.begin((tx) =>
      storeAnswer(
        tx,
        keys,
        goalId,
        mutation({ kind: 'answer', questionId: 'q-forged' } as never) as never,
        { option: 1 },
      ),
    );
    await expect(answer).rejects.toThrow('did not ask q-forged');
  });

  it('ROW-98 a rewind that nobody ordered is not carried out', async () => {
    await freed();
    const { goalId } = await stores.openTurn();
    await stores.db`UPDATE workspace SET lease_goal_id = ${goalId}`;
    await attack(`INSERT INTO rewind (goal_id, number, commit_id, checkpoint, turn, ordered_by, state)
      VALUES ('${goalId}', 1, 'commit-x', 't1', 1, 'ada', 'begun')`);
    expect(await readPendingRewind(stores.store.sql, keys, goalId)).toBeNull();
    expect(await stores.verifier.whole(goalId)).toMatchObject({
      ...{ holds: false, record: { kind: 'written', subject: 'rewind 1' } },
    });
  });

  it('ROW-99 a notification that the service did not write is signed and sent to nobody', async () => {
    const { goalId } = await stores.openTurn();
    await attack(`INSERT INTO notification (notification_id, goal_id, type, body)
      VALUES ('n-forged', '${goalId}', 'goal.complete', '{}')`);
    const store = createDeliveryStore(stores.store.sql, keys);
    await store.address([{ url: 'https://receiver.test/x' }] as never);
    expect(await store.claim(10, 20)).toEqual([]);
    expect(
      await stores.db`SELECT state, last_error FROM delivery
      WHERE notification_id = 'n-forged'`,
    ).toMatchObject([{ state: 'given_up', last_error: expect.stringContaining('security log') }]);
  });
});

describe('a pin of a foreign tool', () => {
  it('ROW-100 has each column sealed, or named as free with a reason', async () => {
    const columns = await stores.db<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'tool_pin' ORDER BY 1`;
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(PIN_COLUMNS).sort());
  });

  const tool = (hash: string) =>
    ({
      ...{ server: 'desk', tool: 'mcp__desk__look', isNamed: false },
      definition: { hash, description: 'Looks.', schema: {} },
    }) as never;

  it('ROW-100 that somebody changed or took away is trusted by nobody until a person accepts it', async () => {
    await freed();
    const { goalId } = await stores.openTurn();
    const pins = createToolPinStore(stores.store, keys, () => undefined);
    const people = createToolPinsOfPeople(stores.store, keys);
    const trusted = async (workspace: string, hash: string) =>
      [...(await pins.see(goalId, workspace, [tool(hash)])).values()].filter((one) => one === hash);
    const acts = {
      changed: (workspace: string) => `UPDATE tool_pin SET hash = 'new'
        WHERE workspace = '${workspace}'`,
      gone: (workspace: string) => `DELETE FROM tool_pin WHERE workspace = '${workspace}'`,
    };
    for (const [name, act] of Object.entries(acts)) {
      expect(await trusted(name, 'old'), name).toEqual(['old']);
      expect(await trusted(name, 'new'), name).toEqual([]);
      await attack(act(name));
      expect(await trusted(name, 'new'), name).toEqual([]);
      const accepted = { workspace: name, tool: 'mcp__desk__look', hash: 'new' };
      expect(await people.accept(accepted, entry), name).not.toBeNull();
      expect(await trusted(name, 'new'), name).toEqual(['new']);
    }
    expect(await people.reset('gone', 'desk', entry)).toBe(1);
    expect(await trusted('gone', 'third')).toEqual(['third']);
  });
});

describe('a goal that somebody called complete', () => {
  it('ROW-102 is shown as one whose record was altered, alone, in lists and by its thread', async () => {
    const goalId = await stores.accept();
    const completion = { source: 'gate', verification: 'verified', result: 'Done.' };
    await attack(`UPDATE goal SET status = 'complete', completion = '${JSON.stringify(completion)}'
      WHERE goal_id = '${goalId}'`);
    const shown = { status: 'paused', pause: { reason: 'record_altered' } };
    const goal = await stores.reader.goal(goalId);
    expect(goal).toMatchObject(shown);
    expect(goal?.completion).toBeUndefined();
    expect(await stores.reader.threadGoal(goal?.threadId ?? '')).toMatchObject(shown);
    const all = { limit: 100, sight: wholeSight, sort: 'newest', archived: false } as const;
    const { items } = await stores.reader.goals(all);
    expect(items.find((one) => one.goalId === goalId)).toMatchObject(shown);
  });
});
