import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeSight } from '../../src/policy/sight.ts';
import { eachAlone } from '../../src/store/each-alone.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { addToSecurityLog } from '../../src/store/ledger/security-entries.ts';
import { verifySecurityLog } from '../../src/store/ledger/security-verify.ts';
import { newGoal, type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const columns = () => stores.db<Column[]>`
  SELECT c.table_name AS "table", column_name AS name, udt_name AS type
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations'
    AND table_type = 'BASE TABLE' ORDER BY 1, 2`;

const checks = async () =>
  (
    await stores.db<{ table: string; text: string }[]>`
      SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS text
      FROM pg_constraint WHERE contype = 'c' AND connamespace = current_schema()::regnamespace`
  ).map(({ table, text }) => `${table} ${text}`);

/** JSON that only the goal or the person that it is of is shown, or that its seal covers first. */
const ANY_SHAPE: ReadonlySet<string> = new Set([
  ...['attachment.ref', 'anchor.peaks', 'check_order.criterion', 'checkpoint.left_out'],
  ...['checkpoint.unread', 'commit.result', 'compaction.shown', 'criterion_baseline.body'],
  ...['decision.facts', 'decision.missing', 'decision.outcome', 'decision.score', 'decision.usage'],
  ...['election.refusal', 'goal_attachment.ref', 'goal_order.body', 'inbound_trigger.filter'],
  ...['inbound_trigger.parameters', 'inbox.attachments', 'journal.agent_session', 'ledger.body'],
  ...['message.content', 'proof_finding.base', 'proof_finding.changes', 'proof_finding.proof'],
  ...['request.answer', 'request.body', 'rewind.result', 'sealed_criterion.told'],
  ...['sealed_criterion.workspaces', 'sent_prompt.tools', 'session_report.body', 'step.error'],
  ...['step.request', 'tool_pin.definition', 'tool_pin.offered', 'turn.inbox'],
]);

describe('one bad row', () => {
  it('ROW-110 each time has a day, each number counts exactly, each JSON has its shape or is named', async () => {
    const known = await checks();
    const missing: string[] = [];
    for (const { table, name, type } of await columns()) {
      const own = known.filter((check) => check.startsWith(`${table} `) && check.includes(name));
      if (['timestamptz', 'int8', 'numeric'].includes(type) && own.length === 0)
        missing.push(`${table}.${name}`);
      const isShaped = own.some((check) => check.includes('has_shape'));
      if (type === 'jsonb' && isShaped === ANY_SHAPE.has(`${table}.${name}`))
        missing.push(`${table}.${name}`);
    }
    expect(missing).toEqual([]);
  });

  it('ROW-111 what no reader could read is taken by no table', async () => {
    const goalId = await stores.accept();
    const refused = [
      `UPDATE goal SET updated_at = 'infinity' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET updated_at = '-infinity' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET updated_at = '20000-01-01' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET activity = activity || '{"since": "never"}' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET budget = budget || '{"tokens": "many"}' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET notify = '{}' WHERE goal_id = '${goalId}'`,
      `UPDATE journal SET cost_usd = 'NaN' WHERE goal_id = '${goalId}'`,
      `UPDATE journal SET input_tokens = 9007199254740993 WHERE goal_id = '${goalId}'`,
      `INSERT INTO following_goals (goal_id, goals) VALUES ('${goalId}', '{"a": 1}')`,
      `INSERT INTO attempt (goal_id, token, host, worker_id, started_at)
        VALUES ('${goalId}', 99, 'here', 'w', 'infinity')`,
      `INSERT INTO sealing (started_at, goals, hash, covers) VALUES ('infinity', 1, 'x', 99)`,
      `INSERT INTO security_log (what, result, number) VALUES ('x', 'done', 9007199254740993)`,
      `INSERT INTO token (name, secret_hash, role, created_by, expires_at)
        VALUES ('far', 'x', 'admin', 'eve', 'infinity')`,
      `INSERT INTO token (name, secret_hash, role, created_by, workspaces)
        VALUES ('odd', 'y', 'admin', 'eve', '{"till": true}')`,
      `INSERT INTO worker (worker_id, host, pid, task_queues, version)
        VALUES ('odd', 'here', 1, '[{"not": "text"}]', '1')`,
    ];
    for (const statement of refused)
      await expect(attack(statement), statement).rejects.toThrow(
        /violates check|invalid input|no entry before/,
      );
  });

  it('ROW-112 a goal that cannot be read is shown as altered, alone and in lists, beside all others', async () => {
    const whole = await stores.accept();
    const odd = await stores.accept();
    await attack(`UPDATE goal SET notify = '[{"url": 7}]' WHERE goal_id = '${odd}'`);
    const filter = { sort: 'newest', group: 'none', archived: false, limit: 50, cursor: undefined };
    const { items } = await stores.reader.goals({ ...filter, sight: wholeSight } as never);
    const shown = new Map(items.map((goal) => [goal.goalId, goal]));
    expect(shown.get(whole)?.status).toBe('active');
    expect(shown.get(odd)).toMatchObject({
      ...{ status: 'paused', pause: { reason: 'record_altered' } },
    });
    expect(await stores.reader.goal(odd)).toMatchObject({ status: 'paused' });
    await expect(stores.journal.brief(odd)).rejects.toThrow('ground');
  });

  it('ROW-113 what follows a goal that cannot be read is refused, and the others begin', async () => {
    const goals = [await stores.accept(), await stores.accept()];
    for (const goalId of goals)
      await attack(`INSERT INTO following_goals (goal_id, goals)
        VALUES ('${goalId}', '[${JSON.stringify(newGoal())}]')`);
    await attack(`UPDATE goal SET status = 'complete'
      WHERE goal_id IN (${goals.map((id) => `'${id}'`).join()})`);
    await attack(`UPDATE goal SET criteria = '[{"spec": 1}]', policy = '{"continuation": {"a": 1}}'
      WHERE goal_id = '${goals[0]}'`);
    await stores.reconcile.beginFollowing();
    const rows = await stores.db<{ refused: string | null }[]>`
      SELECT refused FROM following_goals WHERE goal_id IN ${stores.db(goals)}`;
    expect(rows.every(({ refused }) => refused !== null)).toBe(true);
  });

  it('ROW-113 each row has its turn, and only a server that is away ends the round', async () => {
    const acted: number[] = [];
    const act = async (row: number): Promise<void> => {
      if (row === 1) throw new TypeError('odd');
      acted.push(row);
    };
    await expect(eachAlone([0, 1, 2], act)).rejects.toThrow('odd');
    expect(acted).toEqual([0, 2]);
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    let asked = 0;
    const fail = async (): Promise<void> => {
      asked += 1;
      throw away;
    };
    await expect(eachAlone([0, 1, 2], fail)).rejects.toBe(away);
    expect(asked).toBe(1);
  });

  it('ROW-114 an entry that somebody added behind the end of the security log keeps none from being told', async () => {
    const entry = {
      ...{ who: 'ada', role: 'admin', address: null, what: 'token_made' },
      ...{ subject: 'one', result: 'done', data: {} },
    } as never;
    const { sql } = stores.store;
    await addToSecurityLog(sql, keys, entry);
    expect(await verifySecurityLog(sql, keys)).toMatchObject({ holds: true });
    await attack(`INSERT INTO security_log (what, result, number, previous, hash)
      SELECT 'forged', 'done', number + n, hash, 'x' || n FROM security_head, generate_series(1, 3) n`);
    await addToSecurityLog(sql, keys, entry);
    await addToSecurityLog(sql, keys, entry);
    const told = await stores.db`SELECT 1 FROM security_log WHERE subject = 'one'`;
    expect(told.count).toBe(3);
    expect(await verifySecurityLog(sql, keys)).toMatchObject({ holds: false });
  });
});
