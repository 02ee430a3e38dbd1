import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { TOKENS } from '../support/goal-world.ts';
import { adoptedFolders, CRITERION } from './adopted-folders.ts';
import { goalkeeper, openSession } from './session.ts';

describe('hooks of a session', () => {
  const the = adoptedFolders();
  const { adopt, adopted, write, ledger } = the;

  test('HOOK-21 a program’s token adopts where it may work and is judged; where a person adopted, its hooks say that nobody judges', async () => {
    const program = { ...the.environment, GOALKEEPER_TOKEN: TOKENS.agent };
    const folder = await the.goals.world.workspace({});
    await the.goals.world.client.send('POST', '/v1/workspaces', { path: folder });
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
    expect(await the.goals.world.get(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
    });
    const rows = (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
    const own = rows.filter(({ tool }) => tool.startsWith('agent.'));
    expect(own.map(({ tool, receipt }) => [tool, receipt?.origin])).toEqual([
      ['agent.edit', 'agent'],
    ]);
    const said = await the.goals.world.database<{ voice: string; text: string }[]>`
      SELECT voice, content->>'text' AS text FROM message WHERE goal_id = ${goalId} ORDER BY seq`;
    expect(said.filter(({ voice }) => voice !== 'host')).toEqual([
      { voice: 'person', text: 'Please begin' },
      { voice: 'model', text: 'I am done.' },
      { voice: 'model', text: 'Now it is there.' },
    ]);
    expect((await session.stop()).answer).toBeNull();
  });

  test('HOOK-6 a goal that is paused, limited or cleared lets the session end, and nothing is judged', {
    tags: 'campaign',
  }, async () => {
    const paused = await adopted();
    await the.goals.send(paused.goalId, 'pause');
    await paused.session.hook('UserPromptSubmit', { prompt: 'Something else entirely' });
    expect((await paused.session.stop()).answer?.systemMessage).toContain('paused (person)');
    expect((await the.goals.world.get(paused.goalId)).pause?.reason).toBe('person');

    const limited = await adopted('--budget-turns', '1');
    const last = await limited.session.stop();
    expect(last.answer?.decision).toBeUndefined();
    expect(last.answer?.systemMessage).toContain('used up its budget');
    expect((await the.goals.rest(limited.goalId)).status).toBe('budget_limited');

    const cleared = await adopted();
    await the.goals.send(cleared.goalId, 'clear');
    expect((await cleared.session.stop()).answer).toBeNull();
  });

  test('HOOK-7 a service that is away is a warning and lets the session end; elsewhere nobody is asked', {
    tags: 'campaign',
  }, async () => {
    const { folder } = await adopted();
    const away = { ...the.environment, GOALKEEPER_URL: 'http://127.0.0.1:9' };
    const session = await openSession(folder, away);
    for (const ran of [await session.stop(), await session.hook('SessionStart')]) {
      expect(ran).toMatchObject({ exitCode: 0, answer: null });
      expect(ran.err).toContain('Nothing answers');
    }
    const other = await openSession(await the.goals.world.workspace({}), away);
    expect(await other.stop()).toMatchObject({ exitCode: 0, out: '', err: '' });
    const broken = await goalkeeper(['hook', 'run'], {
      environment: the.environment,
      input: '{"cwd":',
    });
    expect(broken).toMatchObject({ exitCode: 0, out: '' });
    expect(broken.err).toContain('no hook event');
  });

  test('HOOK-10 a question to the person lets the session end; their next prompt leads the goal on', async () => {
    const { folder, goalId, session } = await adopted();
    const asked = await session.stop('Which number do you want? Should I write 42?');
    expect(asked.answer?.systemMessage).toContain('paused (question)');
    await session.hook('UserPromptSubmit', { prompt: 'Yes, 42' });
    expect((await the.goals.world.get(goalId)).status).toBe('active');
    write(folder);
    expect((await session.stop()).answer?.systemMessage).toContain('complete');
  });

  test('HOOK-14 one goal stands in a folder; another comes only instead of it', {
    tags: 'campaign',
  }, async () => {
    const { folder, goalId } = await adopted();
    const second = await adopt(folder, '--criterion', 'true');
    expect(second.exitCode).toBe(3);
    expect(second.err).toContain(goalId);
    const instead = await adopt(folder, '--criterion', CRITERION, '--replace');
    expect(instead.exitCode).toBe(0);
    expect((await the.goals.world.get(goalId)).archivedAt).toBeDefined();
    const session = await openSession(folder, the.environment);
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
    expect((await the.goals.world.get(goalId)).criteria[0]?.state).toBe('unmet');
    write(folder);
    // Nobody told the service that it stopped, so nothing is judged and nothing is lost.
    expect((await the.goals.world.get(goalId)).status).toBe('active');
    expect((await session.stop()).answer?.systemMessage).toContain('complete (verified)');
    const { completion } = await the.goals.world.get(goalId);
    expect(completion?.receipts.length).toBeGreaterThan(0);
    const cited = (await ledger(goalId)).filter(({ seq }) => completion?.receipts.includes(seq));
    expect(cited.some(({ receipt }) => receipt?.origin === 'agent')).toBe(false);
  });
});
