import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { goalkeeper, openSession } from './session.ts';

const CRITERION = 'test "$(cat answer.txt)" = 42';

describe('hooks of a session', () => {
  let goals: ScriptedGoals;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    goals = await openScriptedGoals({});
    environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
  });
  afterAll(() => goals.world.close());

  const adopt = async (cwd: string, ...args: readonly string[]) =>
    await goalkeeper(['adopt', 'Write the answer', '--json', ...args], { environment, cwd });
  /** A folder with a goal, and a session that works there. */
  const adopted = async (...args: readonly string[]) => {
    const folder = await goals.world.workspace({});
    const ran = await adopt(folder, '--criterion', CRITERION, '--scope', 'answer.txt', ...args);
    if (ran.exitCode !== 0) throw new Error(ran.err);
    const goal = JSON.parse(ran.out) as Goal;
    const session = await openSession(folder, environment);
    return { folder, goal, goalId: goal.goalId, session };
  };
  const write = (folder: string, text = '42\n') => writeFileSync(join(folder, 'answer.txt'), text);
  const ledger = async (goalId: string) => {
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    return items;
  };

  test('HOOK-2 a session that says early that it is done is told what is missing, and let go once it is proven', async () => {
    const { folder, goal, goalId, session } = await adopted();
    expect(goal).toMatchObject({ driver: 'external', activity: { on: 'session', actor: 'Agent' } });
    const begun = await session.hook('SessionStart', { source: 'startup' });
    const told = begun.answer?.hookSpecificOutput?.additionalContext;
    expect(told).toContain(CRITERION);
    expect(told).toContain('Write the answer');
    await session.hook('UserPromptSubmit', { prompt: 'Please begin' });
    const early = await session.stop('I am done.');
    expect(early.answer?.decision).toBe('block');
    expect(early.answer?.reason).toContain('c1');
    write(folder);
    const tool = { tool_name: 'Write', tool_input: { file_path: join(folder, 'answer.txt') } };
    const wrote = { ...tool, tool_response: 'ok', tool_use_id: 'toolu_1' };
    await session.hook('PostToolUse', wrote);
    await session.hook('PostToolUse', wrote);
    const last = await session.stop('Now it is there.');
    expect(last.answer).toEqual({ systemMessage: expect.stringContaining('complete (verified)') });
    expect(await goals.world.get(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
    });
    const rows = (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
    const own = rows.filter(({ tool }) => tool.startsWith('agent.'));
    expect(own.map(({ tool, receipt }) => [tool, receipt?.origin])).toEqual([
      ['agent.edit', 'agent'],
    ]);
    const said = await goals.world.database<{ voice: string; text: string }[]>`
      SELECT voice, content->>'text' AS text FROM message WHERE goal_id = ${goalId} ORDER BY seq`;
    expect(said.filter(({ voice }) => voice !== 'host')).toEqual([
      { voice: 'person', text: 'Please begin' },
      { voice: 'model', text: 'I am done.' },
      { voice: 'model', text: 'Now it is there.' },
    ]);
    expect((await session.stop()).answer).toBeNull();
  });
});
