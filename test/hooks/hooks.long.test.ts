import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
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

  test('HOOK-21 a program’s token adopts where it may work and is judged; where a person adopted, its hooks say that nobody judges', async () => {
    const program = { ...environment, GOALKEEPER_TOKEN: TOKENS.agent };
    const folder = await goals.world.workspace({});
    await goals.world.client.send('POST', '/v1/workspaces', { path: folder });
    const run = ['adopt', 'Write the answer', '--json', '--criterion', CRITERION];
    const ran = await goalkeeper(run, { environment: program, cwd: folder });
    expect([ran.exitCode, ran.err]).toEqual([0, expect.stringContaining('goal g-')]);
    const session = await openSession(folder, program);
    const early = await session.stop('I am done.');
    expect(early.answer?.decision).toBe('block');

    const persons = await adopted();
    const blind = await openSession(persons.folder, program);
    for (const event of ['SessionStart', 'Stop'] as const) {
      const { answer } = await blind.hook(event, { source: 'startup', stop_hook_active: false });
      expect(answer, event).toEqual({ systemMessage: expect.stringContaining('is not judged') });
    }
    const spoken = await blind.hook('UserPromptSubmit', { prompt: 'Please begin' });
    expect(spoken.answer).toBeNull();
  });

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

  test('HOOK-5 a session that changes nothing is let go by the rules on progress, whatever its tool does', async () => {
    const { goalId, session } = await adopted();
    const decisions = [];
    for (let stops = 0; stops < 6; stops += 1) {
      const { answer } = await session.stop('I believe that this is all.');
      decisions.push(answer?.decision);
      if (answer?.decision !== 'block') {
        expect(answer?.systemMessage).toMatch(/paused \(no_progress\).*goalkeeper resume/s);
        break;
      }
    }
    expect(decisions).toEqual(['block', 'block', undefined]);
    expect((await goals.world.get(goalId)).pause?.reason).toBe('no_progress');
    expect((await session.stop()).answer?.decision).toBeUndefined();
    expect(await goals.turns(goalId)).toHaveLength(3);
  });

  test('HOOK-6 a goal that is paused, limited or cleared lets the session end, and nothing is judged', async () => {
    const paused = await adopted();
    await goals.send(paused.goalId, 'pause');
    await paused.session.hook('UserPromptSubmit', { prompt: 'Something else entirely' });
    expect((await paused.session.stop()).answer?.systemMessage).toContain('paused (person)');
    expect((await goals.world.get(paused.goalId)).pause?.reason).toBe('person');

    const limited = await adopted('--budget-turns', '1');
    const last = await limited.session.stop();
    expect(last.answer?.decision).toBeUndefined();
    expect(last.answer?.systemMessage).toContain('used up its budget');
    expect((await goals.rest(limited.goalId)).status).toBe('budget_limited');

    const cleared = await adopted();
    await goals.send(cleared.goalId, 'clear');
    expect((await cleared.session.stop()).answer).toBeNull();
  });

  test('HOOK-7 a service that is away is a warning and lets the session end; elsewhere nobody is asked', async () => {
    const { folder } = await adopted();
    const away = { ...environment, GOALKEEPER_URL: 'http://127.0.0.1:9' };
    const session = await openSession(folder, away);
    for (const ran of [await session.stop(), await session.hook('SessionStart')]) {
      expect(ran).toMatchObject({ exitCode: 0, answer: null });
      expect(ran.err).toContain('Nothing answers');
    }
    const other = await openSession(await goals.world.workspace({}), away);
    expect(await other.stop()).toMatchObject({ exitCode: 0, out: '', err: '' });
    const broken = await goalkeeper(['hook', 'run'], { environment, input: '{"cwd":' });
    expect(broken).toMatchObject({ exitCode: 0, out: '' });
    expect(broken.err).toContain('no hook event');
  });

  test('HOOK-8 a gate that takes longer than the hook may goes on in the service, and the session ends', async () => {
    const late =
      "setTimeout(() => process.exit(require('fs').existsSync('answer.txt') ? 0 : 1), 4000)";
    const slow = await adopted('--criterion', `node -e "${late}"`);
    write(slow.folder);
    const hurried = await openSession(slow.folder, environment, ['--within', '1']);
    const { answer } = await hurried.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('still being proved');
    expect((await goals.rest(slow.goalId)).status).toBe('complete');
  });

  test('HOOK-20 a worker that is too busy to say that it lives lets no session go', async () => {
    const slow = await adopted('--criterion', 'sleep 3; test "$(cat answer.txt)" = 42');
    const stopped = slow.session.stop();
    await waitUntil(async () => {
      await goals.world.database`UPDATE worker SET seen_at = now() - interval '1 minute'`;
      return (await goals.world.get(slow.goalId)).activity.on === 'worker';
    });
    const { answer, err } = await stopped;
    expect(answer?.decision, err).toBe('block');
    expect((await goals.world.get(slow.goalId)).activity.on).toBe('session');
  });

  test('HOOK-9 a stop that is told again gets the first answer, and costs no further turn', async () => {
    const { goalId, session } = await adopted();
    const [first, twin] = await Promise.all([session.stop('Done.'), session.stop('Done.', false)]);
    const again = await session.hook(
      'Stop',
      { stop_hook_active: false, last_assistant_message: 'Done.' },
      false,
    );
    for (const { answer } of [first, twin, again]) expect(answer?.decision).toBe('block');
    expect(again.answer).toEqual(first.answer);
    expect((await goals.turns(goalId)).filter(({ decision }) => decision)).toHaveLength(1);
  });

  test("HOOK-9 two sessions that stop at once end one turn each, and a late end ends nobody's turn", async () => {
    const { folder, goalId, session } = await adopted();
    const other = await openSession(folder, environment);
    const both = await Promise.all([session.stop('One.'), other.stop('Two.')]);
    expect(both.map(({ answer }) => answer?.decision)).toEqual(['block', 'block']);
    expect((await goals.turns(goalId)).filter(({ decision }) => decision)).toHaveLength(2);
    const late = goals.send(goalId, 'turn-end', { sessionId: 's', turn: 1, text: 'Late.' });
    await expect(late).rejects.toMatchObject({
      problem: { code: 'goal_conflict', expectedTurn: 1, actualTurn: 3 },
    });
  });

  test('HOOK-10 a question to the person lets the session end; their next prompt leads the goal on', async () => {
    const { folder, goalId, session } = await adopted();
    const asked = await session.stop('Which number do you want? Should I write 42?');
    expect(asked.answer?.systemMessage).toContain('paused (question)');
    await session.hook('UserPromptSubmit', { prompt: 'Yes, 42' });
    expect((await goals.world.get(goalId)).status).toBe('active');
    write(folder);
    expect((await session.stop()).answer?.systemMessage).toContain('complete');
  });

  test('HOOK-11 what a person says elsewhere reaches the session when it stops, before anything is judged', async () => {
    const { folder, goalId, session } = await adopted();
    write(folder);
    await goals.send(goalId, 'messages', { text: 'Also tell me why.' });
    expect((await session.stop()).answer?.reason).toMatch(/A person says:\nAlso tell me why\./);
    expect((await session.stop('Because.')).answer?.systemMessage).toContain('complete');
  });

  test('HOOK-19 an objective that is amended while the session works is told at its stop, before anything is judged', async () => {
    const { folder, goalId, session } = await adopted();
    write(folder);
    await goals.amend(goalId, { objective: 'Write the answer, and why' });
    const { answer } = await session.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('<objective>\nWrite the answer, and why\n</objective>');
    expect(answer?.reason).toContain(CRITERION);
    expect((await goals.world.get(goalId)).status).toBe('active');
    expect((await session.stop()).answer?.systemMessage).toContain('complete (verified)');
    expect(await goals.turns(goalId)).toHaveLength(2);
  });

  test('HOOK-19 one that is amended while the goal is paused is told before it may end', async () => {
    const { folder, goalId, session } = await adopted();
    await session.stop('Which number do you want? Should I write 42?');
    await goals.amend(goalId, { objective: 'Write 42' });
    await session.hook('UserPromptSubmit', { prompt: 'See the goal' });
    write(folder);
    const words = [];
    for (let stops = 0; stops < 3; stops += 1) {
      const { answer } = await session.stop();
      words.push(answer?.reason ?? answer?.systemMessage);
      if (answer?.decision !== 'block') break;
    }
    expect(words[0]).toContain('<objective>\nWrite 42\n</objective>');
    expect(words.at(-1)).toContain('complete (verified)');
  });

  test('HOOK-12 what no check proves is put to the person, and the session is let go', async () => {
    const folder = await goals.world.workspace({});
    const ran = await adopt(folder, '--judge-myself', '--scope', 'answer.txt');
    const { goalId } = JSON.parse(ran.out) as Goal;
    const session = await openSession(folder, environment);
    write(folder);
    expect((await session.stop()).answer?.systemMessage).toContain('paused (unverified_claim)');
    const { pause } = await goals.world.get(goalId);
    await goals.send(goalId, `approvals/${pause?.approvalId}`, { decision: 'approve' });
    expect(await goals.rest(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'accepted_by_person' },
    });
  });

  test('HOOK-14 one goal stands in a folder; another comes only instead of it', async () => {
    const { folder, goalId } = await adopted();
    const second = await adopt(folder, '--criterion', 'true');
    expect(second.exitCode).toBe(3);
    expect(second.err).toContain(goalId);
    const instead = await adopt(folder, '--criterion', CRITERION, '--replace');
    expect(instead.exitCode).toBe(0);
    expect((await goals.world.get(goalId)).archivedAt).toBeDefined();
    const session = await openSession(folder, environment);
    const begun = await session.hook('SessionStart', { source: 'compact' });
    const { goalId: next } = JSON.parse(instead.out) as Goal;
    expect(begun.answer?.hookSpecificOutput?.additionalContext).toContain(next);
  });

  test('HOOK-15 neither what a session says of its calls nor what it does to its hooks proves or harms anything', async () => {
    const { folder, goalId, session } = await adopted();
    const ran = { tool_name: 'Bash', tool_input: { command: CRITERION }, tool_use_id: 'toolu_9' };
    await session.hook('PostToolUse', { ...ran, tool_response: { stdout: '', exit_code: 0 } });
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude/settings.json'), '{"disableAllHooks": true}');
    expect((await session.stop('All checks pass.')).answer?.decision).toBe('block');
    expect((await goals.world.get(goalId)).criteria[0]?.state).toBe('unmet');
    write(folder);
    // Nobody told the service that it stopped, so nothing is judged and nothing is lost.
    expect((await goals.world.get(goalId)).status).toBe('active');
    expect((await session.stop()).answer?.systemMessage).toContain('complete (verified)');
    const { completion } = await goals.world.get(goalId);
    expect(completion?.receipts.length).toBeGreaterThan(0);
    const cited = (await ledger(goalId)).filter(({ seq }) => completion?.receipts.includes(seq));
    expect(cited.some(({ receipt }) => receipt?.origin === 'agent')).toBe(false);
  });
});
