import { randomBytes } from 'node:crypto';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Decision, Outcome } from '../../src/contract/decision.ts';
import type { Fence } from '../../src/contract/fence.ts';
import type { NewGoal, StoredRequest } from '../../src/contract/intake.ts';
import type { CallUsage } from '../../src/contract/journal.ts';
import type { Mutation, MutationKind } from '../../src/contract/mutation.ts';
import type { Execution, SettledTurn } from '../../src/contract/record.ts';
import type { CallEnd, CallStart } from '../../src/contract/tool-call.ts';
import { initialCounters } from '../../src/goal/decision/counters.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { defaultBudget, defaultPolicy } from '../../src/goal/defaults.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import { type Database, openDatabase } from '../../src/store/client.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { storeOrder } from '../../src/store/intake/orders.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { type LedgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { formerSessionSeal } from '../../src/store/ledger/rights-seal.ts';
import { COUNTED_TABLES } from '../../src/store/ledger/sealed-rows.ts';
import { sealingSeal } from '../../src/store/ledger/seals.ts';
import { formerSeal } from '../../src/store/ledger/workspace-seal.ts';
import { WRITTEN_TABLES } from '../../src/store/ledger/written-seal.ts';
import { createReader } from '../../src/store/reads/reader.ts';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { createRecord } from '../../src/store/record/record.ts';
import { openStore } from '../../src/store/store.ts';
import { freshDatabase } from '../support/servers.ts';

const unique = () => randomBytes(8).toString('hex');

export const WORKSPACE = 'tree';

export const USAGE: CallUsage = {
  inputTokens: 1000,
  cachedInputTokens: 200,
  outputTokens: 50,
  costUsd: '0.001234',
  isEstimated: false,
  pricesVersion: '1',
};

const criterion: TrackedCriterion = {
  criterionId: 'c1',
  spec: { kind: 'command', command: 'npm test' },
  state: 'unmet',
  baseline: 'unmet',
  origin: 'caller',
  receipts: [],
};

/** SQL by which no row that is written once bears a seal, as before there were any. */
export const WITHOUT_ROW_SEALS = WRITTEN_TABLES.map(
  (table) => `UPDATE "${table}" SET seal = NULL;`,
).join('\n');

/** As a version left the database whose seals covered so much. */
export async function leaveCovered(
  db: Database,
  { sealing: key }: LedgerKeys,
  covers: number,
): Promise<void> {
  if (key === null) throw new TypeError('no key');
  const sessions = await db<{ hash: string; row: object }[]>`
    SELECT secret_hash AS hash, to_jsonb(s) AS row FROM session s WHERE EXISTS (
      SELECT 1 FROM row_seal WHERE kind = 'session' AND subject LIKE '% ' || s.secret_hash)`;
  for (const { hash, row } of covers < 3 ? [] : sessions) {
    await db`UPDATE session SET seal = ${formerSessionSeal(key, row)} WHERE secret_hash = ${hash}`;
  }
  const known = Object.values(COUNTED_TABLES).filter(({ since }) => since <= covers);
  const kinds = ['', ...known.map(({ kind }) => kind)].map((kind) => `'${kind}'`).join(', ');
  await db.unsafe(`ALTER TABLE row_seal DISABLE TRIGGER ALL;
    DELETE FROM row_seal WHERE kind NOT IN (${kinds});
    ALTER TABLE row_seal ENABLE TRIGGER ALL;
    ALTER TABLE sealing DISABLE TRIGGER ALL; DELETE FROM sealing;
    ALTER TABLE sealing ENABLE TRIGGER ALL;
    ${covers < 9 ? 'UPDATE election SET seal = NULL;' : ''} ${covers < 8 ? WITHOUT_ROW_SEALS : ''}`);
  const trees = await db<{ name: string; row: object }[]>`
    SELECT name, to_jsonb(p) AS row FROM workspace p`;
  for (const { name, row } of covers < 4 ? [] : trees) {
    await db`INSERT INTO workspace_seal (name, number, seal)
      VALUES (${name}, 1, ${formerSeal(key, 1, row)}) ON CONFLICT DO NOTHING`;
  }
  const at = new Date().toISOString();
  await db`INSERT INTO sealing (started_at, goals, hash, covers)
    VALUES (${at}, 1, ${sealingSeal(key, at, 1, covers)}, ${covers})`;
}

/** The stores on a database of their own, with the few steps that most tests begin with. */
export async function openRecord(ledgerKeys: LedgerKeys = noKeys) {
  const database = await freshDatabase();
  const store = openStore(database.url, { connections: 20 });
  const db = openDatabase(database.ownerUrl);
  const intake = createIntake(store, { ledgerKeys });
  const journal = createJournal(store.sql, { ledgerKeys });
  const unrequested = createRecord(store.sql, { ledgerKeys });
  const record = {
    ...unrequested,
    async commitMutation(execution: Execution | null, mutation: Mutation, goalId: string) {
      await ordered(mutation, goalId);
      const order = { commitId: mutation.commitId, isTurnOver: true };
      return unrequested.commitMutation(execution, order, goalId);
    },
  };
  // From before the key, so that seals can begin afterwards.
  await createIntake(store, { ledgerKeys: noKeys }).registerWorkspace({
    name: WORKSPACE,
    path: '/tree',
    host: 'here',
    marker: 'marker',
  });

  /** Most tests care for what is committed, not for the request that asked for it. */
  async function ordered(
    mutation: Mutation,
    goalId: string,
    body: object = {},
    by: LedgerKeys = ledgerKeys,
  ): Promise<void> {
    const { commitId } = mutation;
    const known = await db`SELECT 1 FROM request WHERE commit_id = ${commitId}`;
    if (known.count === 0) await intake.reserveRequest(request({ commitId, body, goalId }));
    await store.sql.begin((tx) => storeOrder(tx, by, goalId, mutation));
  }

  async function accept(overrides: Partial<NewGoal> = {}, into = intake): Promise<string> {
    const goal = newGoal(overrides);
    await into.startGoal(request(), goal, {
      expectedGoalId: undefined,
      replace: false,
      sight: wholeSight,
    });
    return goal.goalId;
  }

  async function openGoal(overrides: Partial<NewGoal> = {}): Promise<Execution> {
    const execution = { goalId: await accept(overrides), epoch: 1, runId: `run-${unique()}` };
    await record.openExecution(execution, null);
    return execution;
  }

  async function takeOver(execution: Execution, by = journal): Promise<Fence> {
    const last = await by.lastAttempt(execution.goalId);
    return by.raiseToken({
      ...execution,
      expectedToken: last?.token ?? 0,
      scheduledAt: Date.now(),
      host: 'here',
      workerId: 'w1',
    });
  }

  /** A goal in its first turn. */
  async function openTurn(overrides: Partial<NewGoal> = {}) {
    const execution = await openGoal(overrides);
    const fence = await takeOver(execution);
    await journal.openTurn(fence, { turn: 1, kind: 'start', hostText: 'Begin.' });
    return { execution, fence, goalId: execution.goalId };
  }

  async function close(): Promise<void> {
    await store.close();
    await db.end({ timeout: 5 });
    await database.drop();
  }

  return {
    url: database.url,
    db,
    store,
    intake,
    journal,
    record,
    unrequested,
    ordered,
    reader: createReader(store, ledgerKeys),
    verifier: createLedgerVerifier(db, ledgerKeys),
    reconcile: createReconcileStore(store, { ledgerKeys }),
    accept,
    openGoal,
    takeOver,
    openTurn,
    close,
  };
}

export type OpenRecord = Awaited<ReturnType<typeof openRecord>>;

export const newGoal = (overrides: Partial<NewGoal> = {}): NewGoal => ({
  goalId: `g-${unique()}`,
  threadId: `t-${unique()}`,
  parentGoalId: null,
  objective: 'Make the tests pass',
  criteria: [criterion],
  budget: defaultBudget,
  policy: defaultPolicy,
  model: 'openai/test',
  fallbackModel: null,
  mode: 'agent',
  workspace: WORKSPACE,
  isolation: 'none',
  ...overrides,
});

export const request = (overrides: Partial<StoredRequest> = {}): StoredRequest => ({
  principal: { role: 'operator', name: 'ada' },
  route: 'POST /v1/goals',
  key: unique(),
  bodyHash: 'hash',
  body: {},
  commitId: `commit-${unique()}`,
  goalId: null,
  ...overrides,
});

export const mutation = (kind: MutationKind, overrides: Partial<Mutation> = {}): Mutation =>
  ({
    commitId: `commit-${unique()}`,
    role: 'operator',
    by: 'ada',
    ...kind,
    ...overrides,
  }) as Mutation;

export const sentStep = (step = 1) => ({
  turn: 1,
  step,
  kind: 'turn' as const,
  attempt: 1,
  model: 'openai/test',
  estimatedInput: 1000,
  reservedOutput: 500,
  ifLost: { ...USAGE, cachedInputTokens: 0, outputTokens: 40, isEstimated: true },
});

export const answeredStep = (step = 1) => ({
  turn: 1,
  step,
  kind: 'turn' as const,
  attempt: 1,
  finishReason: 'tool_calls' as const,
  content: {
    text: 'I will look.',
    calls: [
      { callId: `t1.s${step}.0`, providerId: 'p0', tool: 'read_file', input: '{"path":"a"}' },
    ],
  },
  usage: USAGE,
});

export const startedCall = (step = 1, overrides: Partial<CallStart> = {}): CallStart => ({
  callId: `t1.s${step}.0`,
  turn: 1,
  step,
  tool: 'read_file',
  effect: 'read',
  arguments: { path: 'a' },
  ...overrides,
});

export const settledCall = (step = 1, overrides: Partial<CallEnd> = {}): CallEnd => ({
  callId: `t1.s${step}.0`,
  turn: 1,
  step,
  tool: 'read_file',
  effect: 'read',
  outcome: 'succeeded',
  receipt: { reads: ['a'], durationMs: 3 },
  text: 'content of a',
  providerId: 'p0',
  wrote: false,
  ...overrides,
});

const decision = (outcome: Outcome, overrides: Partial<Decision> = {}): Decision => ({
  rule: 'nudge',
  yieldsTo: 'result',
  outcome,
  sentence: 'Because.',
  counters: initialCounters,
  missing: [],
  reasons: {},
  receipts: [],
  score: { total: 0, finishReason: 0, toolResult: 0, intent: 0, noSummary: 0, ratio: 0 },
  isWarning: false,
  ...overrides,
});

export const settledTurn = (
  outcome: Outcome,
  overrides: Partial<Omit<SettledTurn, 'decision'>> & { decision?: Partial<Decision> } = {},
): SettledTurn => ({
  commitId: `turn-${unique()}`,
  expectedRevision: 1,
  facts: emptyTurnFacts(1, 'start', 'agent', 'yield'),
  evidence: null,
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    tokens: 0,
    costUsd: '0',
    turns: 1,
    steps: 0,
    activeSeconds: 0,
  },
  now: '2026-01-01T00:00:00.000Z',
  ...overrides,
  decision: decision(outcome, overrides.decision),
});

/** How many rows a goal has, in all tables that its journal writes. */
export async function rowCounts(db: Database, goalId: string) {
  const [counts] = await db`
    SELECT
      (SELECT count(*)::int FROM step WHERE goal_id = ${goalId}) AS steps,
      (SELECT count(*)::int FROM message WHERE goal_id = ${goalId}) AS messages,
      (SELECT count(*)::int FROM ledger WHERE goal_id = ${goalId}) AS ledger,
      (SELECT count(*)::int FROM event WHERE goal_id = ${goalId}) AS events,
      (SELECT count(*)::int FROM turn WHERE goal_id = ${goalId}) AS turns,
      (SELECT count(*)::int FROM decision WHERE goal_id = ${goalId}) AS decisions,
      (SELECT event_seq FROM journal WHERE goal_id = ${goalId}) AS event_seq,
      (SELECT steps FROM journal WHERE goal_id = ${goalId}) AS charged,
      (SELECT revision FROM goal WHERE goal_id = ${goalId}) AS revision`;
  return counts;
}
