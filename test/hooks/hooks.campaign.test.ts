import { describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { MARKER_FILE } from '../../src/workspace/paths.ts';
import { processesIn } from '../support/processes-in.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { adoptedFolders, CRITERION } from './adopted-folders.ts';
import { openSession } from './session.ts';

describe('hooks of a session', () => {
  const the = adoptedFolders();
  const { adopt, adopted, write } = the;

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
    expect((await the.goals.world.get(goalId)).pause?.reason).toBe('no_progress');
    expect((await session.stop()).answer?.decision).toBeUndefined();
    expect(await the.goals.turns(goalId)).toHaveLength(3);
  });

  test('HOOK-8 a gate that takes longer than the hook may goes on in the service, and the session ends', async () => {
    const late =
      "setTimeout(() => process.exit(require('fs').existsSync('answer.txt') ? 0 : 1), 4000)";
    const slow = await adopted('--criterion', `node -e "${late}"`);
    write(slow.folder);
    const hurried = await openSession(slow.folder, the.environment, ['--within', '1']);
    const { answer } = await hurried.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('still being proved');
    expect((await the.goals.rest(slow.goalId)).status).toBe('complete');
  });

  test('HOOK-20 a worker that is too busy to say that it lives lets no session go', async () => {
    const slow = await adopted('--criterion', 'sleep 3; test "$(cat answer.txt)" = 42');
    const stopped = slow.session.stop();
    await waitUntil(async () => {
      await the.goals.world.database`UPDATE worker SET seen_at = now() - interval '1 minute'`;
      return (await the.goals.world.get(slow.goalId)).activity.on === 'worker';
    });
    const { answer, err } = await stopped;
    expect(answer?.decision, err).toBe('block');
    expect((await the.goals.world.get(slow.goalId)).activity.on).toBe('session');
  });

  test('HOOK-23 a goal that is cleared while its stop is judged, or that the service knows no more, holds no session', async () => {
    const slow = await adopted('--criterion', 'sleep 3; test "$(cat answer.txt)" = 42');
    const stopped = slow.session.stop();
    await waitUntil(async () => (await the.goals.world.get(slow.goalId)).activity.on !== 'session');
    await the.goals.send(slow.goalId, 'clear');
    const { answer, err } = await stopped;
    expect(answer?.decision, err).toBeUndefined();
    expect(answer?.systemMessage).toContain('cleared');

    const folder = await the.goals.world.workspace({ [MARKER_FILE]: '' });
    const session = await openSession(folder, the.environment);
    const told = { source: 'startup', prompt: 'Go on', tool_name: 'Bash', tool_use_id: 'toolu_1' };
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop'])
      expect(await session.hook(event, told), event).toMatchObject({
        exitCode: 0,
        out: '',
        err: '',
      });
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'HOOK-24 a session that %s ends while its stop is judged leaves nothing behind: the service judges on, and the next session is told and goes on',
    async (signal) => {
      const slow = await adopted('--criterion', 'sleep 3; test "$(cat answer.txt)" = 42');
      const begun = slow.session.beginStop('I am done.');
      const look = () => the.goals.world.get(slow.goalId);
      await waitUntil(async () => (await look()).activity.on !== 'session');
      begun.interrupt(signal);
      expect(await begun.ran).toMatchObject({ exitCode: null, signal, out: '' });
      expect(await processesIn(slow.folder, 'hook')).toEqual([]);
      expect(await look()).toMatchObject({ status: 'active' });

      const next = await openSession(slow.folder, the.environment);
      const told = await next.hook('SessionStart', { source: 'startup' });
      expect(told.answer?.hookSpecificOutput?.additionalContext).toContain(slow.goalId);
      // Its own stop waits for what the other one began, and then ends a turn of its own.
      const early = await next.stop('Nothing yet.');
      expect(early.answer).toMatchObject({
        decision: 'block',
        reason: expect.stringContaining('c1'),
      });
      write(slow.folder);
      expect((await next.stop()).answer?.systemMessage).toContain('complete (verified)');
      const { usage, completion } = await look();
      expect([usage.turns, completion?.verification]).toEqual([3, 'verified']);
    },
  );

  test('HOOK-24 a session that ends before its stop was told has not stopped: the next one ends the same turn, and a goal that nobody goes on with is adopted anew', async () => {
    const { folder, goalId, session } = await adopted();
    const begun = session.beginStop('I am done.');
    begun.interrupt('SIGINT');
    expect(await begun.ran).toMatchObject({ signal: 'SIGINT', out: '' });
    expect(await the.goals.world.get(goalId)).toMatchObject({ activity: { on: 'session' } });
    const next = await openSession(folder, the.environment);
    expect((await next.stop('Nothing yet.')).answer?.decision).toBe('block');
    const judged = (await the.goals.turns(goalId)).filter(({ decision }) => decision);
    expect(judged.map(({ turn }) => turn)).toEqual([1]);
    const again = ['--criterion', CRITERION, '--scope', 'answer.txt'];
    const instead = await adopt(folder, ...again, '--replace');
    const replacing = JSON.parse(instead.out) as Goal;
    expect(replacing, instead.err).toMatchObject({ activity: { on: 'session' } });
    await the.goals.send(replacing.goalId, 'clear');
    const anew = await adopt(folder, ...again);
    expect(JSON.parse(anew.out), anew.err).toMatchObject({ activity: { on: 'session' } });
    write(folder);
    const last = await openSession(folder, the.environment);
    expect((await last.stop()).answer?.systemMessage).toContain('complete (verified)');
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
    expect((await the.goals.turns(goalId)).filter(({ decision }) => decision)).toHaveLength(1);
  });

  test("HOOK-9 two sessions that stop at once end one turn each, and a late end ends nobody's turn", async () => {
    const { folder, goalId, session } = await adopted();
    const other = await openSession(folder, the.environment);
    const both = await Promise.all([session.stop('One.'), other.stop('Two.')]);
    expect(both.map(({ answer }) => answer?.decision)).toEqual(['block', 'block']);
    expect((await the.goals.turns(goalId)).filter(({ decision }) => decision)).toHaveLength(2);
    const late = the.goals.send(goalId, 'turn-end', { sessionId: 's', turn: 1, text: 'Late.' });
    await expect(late).rejects.toMatchObject({
      problem: { code: 'goal_conflict', expectedTurn: 1, actualTurn: 3 },
    });
  });

  test('HOOK-11 what a person says elsewhere reaches the session when it stops, before anything is judged', async () => {
    const { folder, goalId, session } = await adopted();
    write(folder);
    await the.goals.send(goalId, 'messages', { text: 'Also tell me why.' });
    expect((await session.stop()).answer?.reason).toMatch(/A person says:\nAlso tell me why\./);
    expect((await session.stop('Because.')).answer?.systemMessage).toContain('complete');
  });

  test('HOOK-19 an objective that is amended while the session works is told at its stop, before anything is judged', async () => {
    const { folder, goalId, session } = await adopted();
    write(folder);
    await the.goals.amend(goalId, { objective: 'Write the answer, and why' });
    const { answer } = await session.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('<objective>\nWrite the answer, and why\n</objective>');
    expect(answer?.reason).toContain(CRITERION);
    expect((await the.goals.world.get(goalId)).status).toBe('active');
    expect((await session.stop()).answer?.systemMessage).toContain('complete (verified)');
    expect(await the.goals.turns(goalId)).toHaveLength(2);
  });

  test('HOOK-19 one that is amended while the goal is paused is told before it may end', async () => {
    const { folder, goalId, session } = await adopted();
    await session.stop('Which number do you want? Should I write 42?');
    await the.goals.amend(goalId, { objective: 'Write 42' });
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
    const folder = await the.goals.world.workspace({});
    const ran = await adopt(folder, '--judge-myself', '--scope', 'answer.txt');
    const { goalId } = JSON.parse(ran.out) as Goal;
    const session = await openSession(folder, the.environment);
    write(folder);
    expect((await session.stop()).answer?.systemMessage).toContain('paused (unverified_claim)');
    const { pause } = await the.goals.world.get(goalId);
    await the.goals.send(goalId, `approvals/${pause?.approvalId}`, { decision: 'approve' });
    expect(await the.goals.rest(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'accepted_by_person' },
    });
  });
});
