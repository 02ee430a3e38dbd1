import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Inbox } from '../../schema/inbox.ts';
import { createClient } from '../../src/cli/client.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openApprovalWorld } from '../workflows/approval-world.ts';

const criterion = { kind: 'file', path: 'notes.md', exists: true } as const;

let calls: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  calls = await openApprovalWorld({
    Remove: sequence([reply.call('run_command', { command: 'rm -rf src\n' })]),
    Ask: sequence([reply.call('ask_user', { question: 'Who owns it?', options: ['Core'] })]),
    Propose: sequence([
      reply.call('propose_criterion', criterion),
      reply.call('ask_user', { question: 'And then?' }),
    ]),
    Rest: sequence([reply.call('continue_work', { delaySeconds: 290, reason: 'builds' })]),
  });
});
afterAll(() => calls.world.close());

const inbox = (query = ''): Promise<Inbox> => calls.world.client.get<Inbox>(`/v1/inbox${query}`);
const told = ({ items }: Inbox) => items.map(({ kind, holds, title }) => ({ kind, holds, title }));

describe('the inbox', () => {
  test('CON-37: tells all that waits for a person, each once, what holds a goal first, and nothing that was decided', async () => {
    const { world } = calls;
    expect(await inbox()).toEqual({ items: [], total: 0, goals: [] });
    const resting = await calls.open('Rest');
    await world.until(resting.goalId, ({ activity }) => activity.on === 'timer');
    const proposing = await calls.open('Propose');
    await world.until(proposing.goalId, ({ pause }) => pause?.questionId !== undefined);
    const asking = await calls.open('Ask');
    await world.until(asking.goalId, ({ pause }) => pause?.questionId !== undefined);
    const removing = await calls.open('Remove', {}, { 'src/a.js': '' });
    await world.until(removing.goalId, ({ activity }) => activity.on === 'approval');
    await calls.send(resting.goalId, 'pause');
    await world.until(resting.goalId, ({ status }) => status === 'paused');

    const all = await inbox();
    expect(told(all)).toEqual([
      { kind: 'question', holds: true, title: 'And then?' },
      { kind: 'question', holds: true, title: 'Who owns it?' },
      { kind: 'tool', holds: true, title: 'Run rm -rf src' },
      { kind: 'criterion', holds: false, title: expect.stringMatching(/^New criterion: .*notes/) },
      { kind: 'pause', holds: false, title: expect.any(String) },
    ]);
    expect(all.total).toBe(5);
    expect(all.goals.map(({ goalId }) => goalId).sort()).toEqual(
      [resting, proposing, asking, removing].map(({ goalId }) => goalId).sort(),
    );
    const few = await inbox('?limit=2');
    expect([few.items, few.total]).toEqual([all.items.slice(0, 2), 5]);
    const unseen = await createClient({ url: world.url, token: TOKENS.agent }).get('/v1/inbox');
    expect(unseen).toEqual({ items: [], total: 0, goals: [] });

    for (const approval of [
      ...(await calls.approvals(removing.goalId)),
      ...(await calls.approvals(proposing.goalId)),
    ]) {
      await calls.decide(approval, 'deny', 'No.');
    }
    expect(told(await inbox()).map(({ kind }) => kind)).not.toContain('criterion');
    await calls.send(asking.goalId, 'clear');
    const left = (await inbox()).items.filter(({ goalId }) => goalId !== removing.goalId);
    expect(left.map(({ goalId }) => goalId)).toEqual([proposing.goalId, resting.goalId]);
  });
});
