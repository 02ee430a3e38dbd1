import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { AgentSettings } from '../../schema/agents.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { worldCaller } from '../api/world-calls.ts';
import { startWorkerProcess } from '../evidence/worker-process.ts';
import { OWN } from '../support/goal-world.ts';
import { killProcessesIn, processesIn } from '../support/processes-in.ts';
import { answerExists, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { type AgentTools, scriptFor } from './scripts.ts';
import { wholeService } from './whole-service.ts';

/** What is an agent's own; all else is the same for each. */
export interface RealAgent extends AgentTools {
  readonly title: string;
  /** Installs it where that is missing. @param url of the scripted server, ending in `/v1` */
  settings(url: string): AgentSettings;
  /** Words on the command lines of its processes. */
  readonly words: string;
  readonly ids: Readonly<Record<Behaviour, string>>;
}

type Behaviour =
  | 'proven'
  | 'signs'
  | 'edits'
  | 'early'
  | 'asks'
  | 'paused'
  | 'turns'
  | 'tokens'
  | 'killed'
  | 'felled';

/** `KILLS` makes more of them, of each kind; so many of their goals are under way together. */
const KILLS = Number(process.env.KILLS ?? 5);
const AT_ONCE = 4;
/** After the first of them has begun. */
const LONGEST_LIFE_MS = 6000;
const MOST_MS = 600_000;

const isProven = { status: 'complete', completion: { verification: 'verified' } };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Drives a real agent on the whole service, against a model with a script. */
export function driveAgent(agent: RealAgent): void {
  let model: ScriptedModel;
  let goals: ScriptedGoals;
  let settings: AgentSettings;
  let worker: ReturnType<typeof startWorkerProcess>;
  beforeAll(async () => {
    model = await startScriptedModel({ script: scriptFor(agent) });
    settings = { ...agent.settings(model.url), network: 'host' };
    const environment = { GOALKEEPER_AGENTS: JSON.stringify({ real: settings }) };
    goals = await openScriptedGoals({}, { environment, worker: false });
  }, MOST_MS);
  afterAll(async () => {
    await goals?.world.close();
    await model?.close();
  });

  const start = (name: string, more: Partial<StartGoal> = {}) =>
    goals.start(name, { agent: 'real', ...more });
  const restart = () => {
    worker = startWorkerProcess(goals.world);
  };
  const ledger = async (goalId: string) => {
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    return (await goals.world.client.get<{ items: LedgerRow[] }>(page)).items;
  };
  const agentsOf = async (goalId: string) =>
    processesIn((await goals.world.get(goalId)).workspace.path, agent.words);
  /** Nothing that it started is left, no row is open, and the ledger is whole. */
  const isClean = async (goalId: string) => {
    await waitUntil(async () => (await agentsOf(goalId)).length === 0);
    const verified = await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`);
    expect(verified).toMatchObject({ holds: true });
    const open = await goals.world.database`
      SELECT s.call_id FROM ledger AS s
      WHERE s.goal_id = ${goalId} AND s.phase = 'started' AND NOT EXISTS (
        SELECT 1 FROM ledger AS e
        WHERE e.goal_id = s.goal_id AND e.call_id = s.call_id AND e.phase = 'settled')`;
    expect(open).toEqual([]);
  };
  const endsProven = async (goalId: string): Promise<Goal> => {
    const goal = await goals.rest(goalId);
    expect(goal, JSON.stringify([goal.pause, await goals.story(goalId)])).toMatchObject(isProven);
    await isClean(goalId);
    return goal;
  };
  const killAgent = async (goalId: string) =>
    killProcessesIn((await goals.world.get(goalId)).workspace.path, agent.words);
  const killWorker = async () => {
    await worker.kill();
    restart();
  };

  describe(`${agent.title} under a goal`, () => {
    const { ids } = agent;

    test(`${ids.proven} works to a proven end, and what it says that it did is told as its own words`, async () => {
      restart();
      const goalId = await start('writes');
      expect((await endsProven(goalId)).usage.turns).toBe(1);
      const rows = (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
      const of = (name: string) =>
        rows.flatMap(({ tool, receipt }) => (tool === name && receipt) || []);
      expect(
        of('agent.execute').map(({ origin }) => origin),
        JSON.stringify(rows),
      ).toEqual(['agent']);
      expect(
        of('agent_turn').map(({ writes }) => writes),
        JSON.stringify(rows),
      ).toEqual([['answer.txt']]);
    });

    test(`${ids.signs} signs a step off by a command that it has the host run`, async () => {
      restart();
      const goalId = await start('signs');
      const goal = await endsProven(goalId);
      expect([goal.usage.turns, goal.todos]).toMatchObject([1, { done: 1, total: 1 }]);
      const ran = (await ledger(goalId)).filter(
        ({ phase, tool }) => phase === 'settled' && tool === 'run_command',
      );
      expect(ran.map(({ outcome, receipt }) => [outcome, receipt?.origin])).toEqual([
        ['succeeded', undefined],
      ]);
    });

    test(`${ids.edits} writes by its own tools, also where it has its client write, and each write stays as it made it`, async () => {
      restart();
      const goalId = await start('edits');
      const { workspace } = await endsProven(goalId);
      const rows = (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
      const shown = JSON.stringify(
        rows.map(({ tool, outcome, receipt }) => ({ tool, outcome, receipt })),
      );
      const contentOf = (name: string) => readFile(join(workspace.path, name), 'utf8');
      expect(await contentOf('answer.txt'), shown).toBe('42\n');
      expect(await contentOf('answer.txt.md'), shown).toBe('It is 42.\n');
      const turn = rows.filter(({ tool }) => tool === 'agent_turn');
      expect(turn.flatMap(({ receipt }) => receipt?.writes ?? []).toSorted(), shown).toEqual([
        'answer.txt',
        'answer.txt.md',
      ]);
    });

    test(`${ids.early} is refused an early claim, goes on in its session, and ends proven`, async () => {
      restart();
      const goalId = await start('early');
      expect((await endsProven(goalId)).usage.turns).toBe(2);
      expect((await goals.story(goalId))[0]).toMatch(/refuse$/);
    });

    test(`${ids.asks} waits for a person where a rule asks, and does once what was allowed`, async () => {
      restart();
      const tools = [{ tool: 'run_command', command: 'rm -rf old', decision: 'ask' as const }];
      const goalId = await start('removes', { policy: { tools } });
      const approval = await waitUntil(async () => {
        const path = `/v1/approvals?goalId=${goalId}&state=open`;
        return (await goals.world.client.get<{ items: Approval[] }>(path)).items[0];
      });
      expect(JSON.stringify(approval)).toContain('rm -rf old');
      await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
      expect((await endsProven(goalId)).usage.turns).toBe(2);
    });

    test(`${ids.paused} is ended by a pause, and goes on with a person's words`, async () => {
      restart();
      const goalId = await start('slow');
      await waitUntil(async () => (await agentsOf(goalId)).length > 0);
      await goals.send(goalId, 'pause');
      await goals.rest(goalId);
      await waitUntil(async () => (await agentsOf(goalId)).length === 0);
      await goals.send(goalId, 'messages', { text: 'Mind the gap.' });
      await endsProven(goalId);
      const said = model.requests.flatMap(({ messages }) => messages).map(({ text }) => text);
      expect(said.some((text) => text.includes('A person says:\nMind the gap.'))).toBe(true);
    });

    test.each([
      ['idle', { turns: 2 }],
      ['long', { activeSeconds: 15 }],
    ])(`${ids.turns} ends where its budget does (%s: %j)`, async (name, budget) => {
      restart();
      const goalId = await start(name, { budget });
      expect((await goals.rest(goalId)).status).toBe('budget_limited');
      await isClean(goalId);
    });

    test(`${ids.tokens} is limited in tokens if it tells them, and else refused such a limit`, async () => {
      restart();
      if (settings.reportsUsage === true) {
        const goalId = await start('costly', { budget: { tokens: 15_000 } });
        const goal = await goals.rest(goalId);
        expect(goal.status).toBe('budget_limited');
        expect(goal.usage.tokens).toBeGreaterThanOrEqual(20_010);
        return;
      }
      const path = await goals.world.workspace({});
      const { status, body } = await worldCaller(goals.world)('POST /v1/goals', {
        body: { objective: 'x', workspace: { path }, agent: 'real', budget: { tokens: 15_000 } },
      });
      expect([status, body]).toMatchObject([400, { field: 'budget.tokens' }]);
      const goalId = await start('writes');
      expect((await endsProven(goalId)).usage).toMatchObject({ tokens: 0, costUsd: '0' });
    });

    const moment = () => pause(Math.random() * LONGEST_LIFE_MS);
    const underWay = async (goalIds: readonly string[]) => {
      const found = await Promise.all(goalIds.map(agentsOf));
      return found.filter((pids) => pids.length > 0).length;
    };
    /** An agent dies at a moment of its own, a worker under all of the goals. @returns how many met it */
    const kinds: Readonly<Record<string, (goalIds: readonly string[]) => Promise<number>>> = {
      itself: async (goalIds) => {
        const killed = goalIds.map(async (goalId) => {
          await moment();
          return (await killAgent(goalId)) > 0;
        });
        return (await Promise.all(killed)).filter(Boolean).length;
      },
      'its worker': async (goalIds) => {
        await moment();
        const met = await underWay(goalIds);
        await killWorker();
        return met;
      },
      both: async (goalIds) => {
        await moment();
        const met = await underWay(goalIds);
        await Promise.all([...goalIds.map(killAgent), killWorker()]);
        return met;
      },
    };
    test.each(Object.entries(kinds))(
      `${ids.killed} ends proven in ${KILLS} goals in which %s is killed`,
      async (kind, kill) => {
        restart();
        let met = 0;
        for (let left = KILLS; left > 0; left -= AT_ONCE) {
          const goalIds: string[] = [];
          for (let one = 0; one < Math.min(left, AT_ONCE); one += 1) {
            goalIds.push(await start('slow'));
            await pause(Math.random() * 1000);
          }
          await waitUntil(async () => (await underWay(goalIds)) > 0);
          met += await kill(goalIds);
          await Promise.all(goalIds.map(endsProven));
        }
        process.stdout.write(`${agent.title}: ${kind} was killed in ${met} of ${KILLS} goals\n`);
      },
      MOST_MS + KILLS * 120_000,
    );

    test(
      `${ids.felled} ends proven in ${KILLS} goals under which everything is killed at once: it, worker, API, Temporal and PostgreSQL`,
      async () => {
        const whole = wholeService({ real: settings }, model.url);
        onTestFinished(() => whole.close());
        await whole.up();
        let met = 0;
        for (let one = 0; one < KILLS; one += 1) {
          const path = whole.folder();
          const { goalId } = await whole.client().send<Goal>('POST', '/v1/goals', {
            ...{ objective: 'slow: go', criteria: [answerExists], ...OWN },
            ...{ agent: 'real', workspace: { path } },
          });
          await waitUntil(async () => (await processesIn(path, agent.words)).length > 0);
          await moment();
          const killed = (await whole.killAll()).join('\n');
          for (const part of ['main.js up', 'worker', 'api', 'temporal', 'postgres'])
            expect(killed).toContain(part);
          if (killed.includes(agent.words)) met += 1;
          await whole.up();
          const goal = await waitUntil(async () => {
            const now = await whole.client().get<Goal>(`/v1/goals/${goalId}`);
            return now.status === 'active' || now.activity.state !== 'idle' ? null : now;
          });
          expect(goal, JSON.stringify(goal)).toMatchObject(isProven);
          await waitUntil(async () => (await processesIn(path, agent.words)).length === 0);
          const ledgerPath = `/v1/goals/${goalId}/ledger`;
          expect(await whole.client().get(`${ledgerPath}/verify`)).toMatchObject({ holds: true });
          const rows = await whole.client().get<{ items: LedgerRow[] }>(`${ledgerPath}?limit=200`);
          const settled = rows.items.filter(({ phase }) => phase === 'settled');
          const over = new Set(settled.map(({ callId }) => callId));
          expect(rows.items.filter(({ callId }) => !over.has(callId))).toEqual([]);
        }
        process.stdout.write(
          `${agent.title}: all was killed, it too in ${met} of ${KILLS} goals\n`,
        );
      },
      MOST_MS + KILLS * 120_000,
    );
  });
}
