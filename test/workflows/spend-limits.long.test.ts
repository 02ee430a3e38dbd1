import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Spend } from '../../schema/operations.ts';
import type { SpendStanding } from '../../schema/spend.ts';
import { createClient } from '../../src/cli/client.ts';
import { goalText } from '../../src/cli/goal-text.ts';
import { type SpendLimit, SpendRefused } from '../../src/contract/spend.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { start } from '../cli/command-line.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { timesAsked } from './provider-world.ts';

const PASS = reply.text('{"verdict":"pass","findings":[]}');

let folder: string;
let goals: ScriptedGoals;
/** The time zone of a limit that no file could name, for as long as a test says. */
let own: (() => Promise<string>) | null = null;
let tokens = 0;
/** Steps that a limit is said to refuse. */
let refused: (step: { readonly kind: string; readonly reservedOutput: number }) => boolean = () =>
  false;

const file = (spend: readonly object[]) =>
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ spend }));

/** A zone of POSIX, whose day is over in so many seconds. */
async function dayThatEndsIn(seconds: number): Promise<string> {
  const [{ east }] = await goals.world.database<[{ east: string }]>`
    SELECT to_char(date_trunc('day', utc) + interval '1 day' - make_interval(secs => ${seconds})
      - utc, 'HH24:MI:SS') AS east FROM (SELECT now() AT TIME ZONE 'UTC' AS utc) n`;
  return `<test>-${east}`;
}

function underOwnLimits(ports: TurnPorts): TurnPorts {
  let limits: readonly SpendLimit[] = [];
  const limited = createJournal(goals.world.store.sql, {
    ledgerKeys: goals.world.ledgerKeys,
    spendLimits: () => limits,
  });
  const { journal } = ports;
  return {
    ...ports,
    journal: {
      ...journal,
      async beginStep(fence, step) {
        if (refused(step)) throw new SpendRefused('the limit leaves too little', 1);
        if (own === null) return await journal.beginStep(fence, step);
        const zone = { timeZone: await own(), per: 'day', of: 'service', name: null } as const;
        limits = [{ ...zone, costUsd: null, tokens }];
        return await limited.beginStep(fence, step);
      },
    },
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-spend-'));
  file([]);
  const works = sequence([write, claim]);
  goals = await openScriptedGoals(
    {
      works,
      reviewed: (request) => (request.tools.length === 0 ? PASS : works(request)),
      never: () => reply.text('I go on.'),
    },
    { worker: false, environment: { GOALKEEPER_CONFIG: join(folder, 'rules.json') } },
  );
  await goals.world.startWorker(underOwnLimits);
});
afterAll(async () => {
  await goals.world.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  own = null;
  refused = () => false;
});

const waitsForSpend = ({ activity }: Goal) =>
  activity.state === 'waiting' && activity.on === 'spend';
const isComplete = ({ status }: Goal) => status === 'complete';

describe('a goal that meets a spend limit', () => {
  test('SPEND-11 waits without asking the model, says for what and until when, and goes on once it is raised', async () => {
    file([{ per: 'day', tokens: 100 }]);
    goals.world.reread();
    const goalId = await goals.start('works');
    const goal = await goals.world.until(goalId, waitsForSpend);
    expect(goal.status).toBe('active');
    expect(goal.activity.reason).toMatch(
      /^the limit of the service per day leaves too little: 0 of 100 tokens spent, the next call may take \d+; the period begins anew at \d{4}-\d\d-\d\dT00:00:00\.000Z$/,
    );
    const tomorrow = new Date().setUTCHours(24, 0, 0, 0);
    const until = Date.parse(goal.activity.until ?? '');
    expect(until).toBeGreaterThanOrEqual(tomorrow);
    expect(until).toBeLessThan(tomorrow + 31_000);
    expect(goalText(goal)).toMatch(
      /\(Clock\); the next try follows then, or at once with "resume"/,
    );
    expect(timesAsked(goals, goalId)).toBe(0);

    await goals.send(goalId, 'resume');
    const again = await goals.world.until(
      goalId,
      (one) => waitsForSpend(one) && one.revision > goal.revision + 1,
    );
    expect(timesAsked(goals, goalId)).toBe(0);
    expect(again.usage.turns).toBe(goal.usage.turns);

    file([{ per: 'day', tokens: 100_000_000 }]);
    goals.world.reread();
    const done = await goals.world.until(goalId, isComplete);
    expect(done.usage.turns).toBe(1);
    const { items } = await goals.world.client.get<{ items: SpendStanding[] }>('/v1/costs/limits');
    expect(items).toMatchObject([
      { of: 'service', name: null, per: 'day', mostTokens: 100_000_000, heldTokens: 0 },
    ]);
    expect(items[0]?.tokens).toBe(done.usage.tokens);
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const metrics = await (await fetch(`${goals.world.url}/metrics`, { headers })).text();
    expect(metrics).toContain('goalkeeper_spend_limit_fill{of="service",name="",per="day"} 0.0');
  });

  test('SPEND-12 goes on by itself when the period begins anew', async () => {
    tokens = 1;
    own = async () => await dayThatEndsIn(4);
    const goalId = await goals.start('works');
    const goal = await goals.world.until(goalId, waitsForSpend);
    const { since, until = '' } = goal.activity;
    // A call that is under way beside it is waited for, too, and tries are spread.
    expect(Date.parse(until) - Date.parse(since)).toBeLessThan(60_000);
    tokens = 100_000_000;
    await goals.world.until(goalId, isComplete);
  });

  test('SPEND-13 at its review, the claim waits and is judged afterwards', async () => {
    let times = 0;
    refused = ({ kind }) => {
      if (kind !== 'review') return false;
      times += 1;
      return times === 1;
    };
    const criteria = [{ kind: 'review' as const, rubric: 'The answer is there.' }];
    const goalId = await goals.start('reviewed', { criteria });
    const goal = await goals.rest(goalId);
    expect(goal.usage.turns).toBe(1);
    expect(times).toBeGreaterThanOrEqual(2);
    const waits = await goals.world.database`
      SELECT data FROM event WHERE goal_id = ${goalId} AND data::text LIKE '%"on": "spend"%'`;
    expect(waits.length).toBeGreaterThanOrEqual(1);
  });

  test('SPEND-14 in its last turn, ends limited by its own budget and without a summary', async () => {
    refused = ({ reservedOutput }) => reservedOutput <= 2000;
    const goalId = await goals.start('never', { budget: { turns: 1 } });
    const goal = await goals.rest(goalId);
    expect(goal.status).toBe('budget_limited');
    expect(goal.activity.reason).toMatch(/^turns: used 1 of 1/);
    expect(timesAsked(goals, goalId)).toBe(1);
  });
});

describe('what goals cost', () => {
  const sumOf = async (by: string, token: string = TOKENS.admin) =>
    await createClient({ url: goals.world.url, token }).get<Spend>(`/v1/costs?by=${by}`);

  test("SPEND-15 adds up to the ledger's own numbers by day, workspace, principal, model and goal", async () => {
    const [whole] = await goals.world.database<[{ tokens: number; calls: number; cost: string }]>`
      SELECT sum(input_tokens - cached_input_tokens + output_tokens)::int AS tokens,
        sum(steps)::int AS calls, trim_scale(sum(cost_usd))::text AS cost FROM journal`;
    expect(whole.calls).toBeGreaterThan(3);
    for (const by of ['hour', 'day', 'workspace', 'principal', 'model', 'goal']) {
      const spend = await sumOf(by);
      const charged = spend.items.reduce((sum, { tokens }) => sum + tokens, 0);
      const calls = spend.items.reduce((sum, one) => sum + one.calls, 0);
      expect([by, charged, calls, spend.costUsd]).toEqual([
        by,
        whole.tokens,
        whole.calls,
        whole.cost,
      ]);
    }
  });

  test('SPEND-17 stands at the command line with the limits, and a wrong time names its field', async () => {
    const environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.admin };
    const costs = (...args: string[]) => start(['costs', ...args], environment).done;
    file([{ per: 'month', tokens: 100_000_000 }]);
    goals.world.reread();
    const [json, text, wrong] = await Promise.all([
      costs('--by', 'goal', '--json'),
      costs('--from', '2026-01-01'),
      costs('--from', 'soon'),
    ]);
    const { items, limits } = JSON.parse(json.out) as Spend & { limits: SpendStanding[] };
    expect(items).toEqual((await sumOf('goal')).items);
    expect(limits).toMatchObject([{ of: 'service', per: 'month' }]);
    expect(text.out).toMatch(/^\$\S+ from 2026-01-01T00:00:00\.000Z to /);
    expect(text.out).toMatch(/\n\d{4}-\d\d-\d\d {2}\$\S+ .* calls .* tokens\n/);
    expect(wrong.exitCode).toBe(3);
    expect(wrong.err).toMatch(/from/);
  });

  test('SPEND-16 a program sees what its own goals cost, and no limit of others', async () => {
    const client = createClient({ url: goals.world.url, token: TOKENS.agent });
    const { name } = await client.get<{ name: string }>('/v1/session');
    const most = { per: 'day', tokens: 100_000_000 };
    file([
      most,
      { of: 'workspace', ...most },
      { of: 'principal', ...most },
      { of: 'principal', name, ...most },
    ]);
    goals.world.reread();
    const before = await sumOf('principal', TOKENS.agent);
    expect(before.items).toEqual([]);
    const goalId = await goals.start('works');
    await giveTo(goals.world, goalId, TOKENS.agent);
    const { usage } = await goals.world.until(goalId, isComplete);
    const { items } = await sumOf('goal', TOKENS.agent);
    expect(items).toMatchObject([{ key: goalId, tokens: usage.tokens }]);
    const limits = await client.get<{ items: SpendStanding[] }>('/v1/costs/limits');
    expect(limits.items).toMatchObject([{ of: 'principal', name }]);
    const all = await goals.world.client.get<{ items: SpendStanding[] }>('/v1/costs/limits');
    expect(all.items.length).toBeGreaterThan(2);
  });
});
