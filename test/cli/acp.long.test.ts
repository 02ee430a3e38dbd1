import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadSessionResponse } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../workflows/helpers.ts';
import { picks } from './acp-editor.ts';
import { editedGoals, SAID } from './edited-goals.ts';

const CRITERIA = ['--criterion', 'npm test'];
interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

describe('goalkeeper acp, an agent of editors', () => {
  const the = editedGoals();
  const { close, edit, goalOf, statuses } = the;

  test('ACP-1 a prompt starts a goal in the folder of the session, shows its words, calls and plan, and ends with its proof', async () => {
    const editor = await edit();
    const folder = await the.goals.world.workspace({});
    const sessionId = await editor.open(folder);
    expect(await editor.prompt(sessionId, 'works: go')).toBe('end_turn');
    const goal = await goalOf(sessionId);
    expect(goal, editor.words()).toMatchObject({
      ...{ status: 'complete', objective: 'works: go', workspace: { path: folder } },
      completion: { verification: 'verified' },
    });
    const words = editor.words();
    expect(editor.asked).toEqual([]);
    expect(words).toContain('**Complete (verified).** It is written.');
    expect(words).toContain('- `answer.txt`');
    // Told while it was said, and once.
    expect(words.split(SAID)).toHaveLength(2);
    expect(editor.of('user_message_chunk')).toEqual([]);
    const calls = editor.of('tool_call');
    expect(calls).toContainEqual(
      expect.objectContaining({ title: 'echo made && sleep 0.1', kind: 'execute' }),
    );
    expect(calls).toContainEqual(
      expect.objectContaining({
        ...{ title: 'write_file answer.txt', kind: 'edit' },
        locations: [{ path: join(folder, 'answer.txt') }],
      }),
    );
    expect(statuses(editor)).not.toContain('in_progress');
    expect(editor.of('plan').map(({ entries }) => entries)).toContainEqual([
      { content: 'Write the answer', status: 'pending', priority: 'medium' },
      { content: 'Say so', status: 'pending', priority: 'medium' },
    ]);
    expect(editor.of('plan').at(-1)?.entries).toEqual([]);
  });

  test('ACP-3 an approval is asked of the person in the editor, and what they say is decided with their token', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await the.goals.world.workspace({}));
    const answers = ['deny', 'approve'];
    editor.answer = () => picks(answers.shift() ?? '');
    expect(await editor.prompt(sessionId, 'claims: go')).toBe('end_turn');
    const goal = await goalOf(sessionId);
    expect(goal.completion?.verification).toBe('accepted_by_person');
    expect(editor.asked).toHaveLength(2);
    expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
    expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('It is written.');
    const rows = await the.goals.world.database`
      SELECT state, decided_by FROM approval WHERE goal_id = ${goal.goalId} ORDER BY created_at`;
    expect(rows.map(({ state }) => state)).toEqual(['denied', 'approved']);
    for (const { decided_by } of rows) expect(decided_by).toMatch(/^operator/);
  });

  test('ACP-6 a question ends the turn with its options, and the next prompt answers it', async () => {
    const editor = await edit();
    const sessionId = await editor.open(await the.goals.world.workspace({}));
    expect(await editor.prompt(sessionId, 'asks: go')).toBe('end_turn');
    expect(editor.words()).toContain('**Which colour?**');
    expect(editor.words()).toContain('2. blue');
    expect(await editor.prompt(sessionId, '2')).toBe('end_turn');
    const { goalId, status } = await goalOf(sessionId);
    expect(status).toBe('complete');
    const said = the.goals.world.model.requests.flatMap(({ messages }) => messages);
    expect(said.some(({ text }) => text.includes('blue') && !text.includes('options'))).toBe(true);
    expect(goalId).toBeDefined();
  });

  test('ACP-7 a cancel pauses the goal, which /resume leads on', async () => {
    close();
    const editor = await edit();
    const sessionId = await editor.open(await the.goals.world.workspace({}));
    const prompted = editor.prompt(sessionId, 'holds: go');
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await the.goals.asked(goalId);
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await prompted).toBe('cancelled');
    expect((await goalOf(sessionId)).pause?.reason).toBe('person');
    the.open();
    expect(await editor.prompt(sessionId, '/resume')).toBe('end_turn');
    expect((await goalOf(sessionId)).completion?.verification).toBe('verified');
  });

  test('ACP-9 a process that is killed takes nothing along: the goal ends, another process shows it whole, and the conversation goes on', async () => {
    close();
    const folder = await the.goals.world.workspace({});
    const first = await edit();
    const sessionId = await first.open(folder);
    first.prompt(sessionId, 'holds: go').catch(() => {});
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await the.goals.asked(goalId);
    await first.kill();
    the.open();
    await the.goals.rest(goalId);
    const second = await edit();
    await second.agent.request<LoadSessionResponse>('session/load', {
      ...{ sessionId, cwd: folder, mcpServers: [] },
    });
    expect(second.of('user_message_chunk')[0]?.content).toEqual({
      type: 'text',
      text: 'holds: go',
    });
    expect(second.words()).toContain('**Complete (verified).**');
    expect(second.of('tool_call').map(({ title }) => title)).toContain('write_file answer.txt');
    const before = second.updates.length;
    expect(await second.prompt(sessionId, 'next: and now')).toBe('end_turn');
    expect(await goalOf(sessionId)).toMatchObject({ continues: goalId, status: 'complete' });
    // Nothing of the goal before is told again.
    const after = JSON.stringify(second.updates.slice(before));
    expect(after).not.toContain('write_file answer.txt');
  });

  test('ACP-17 the lines that the docs give for Zed start it, and what it can do is told', async () => {
    const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
    const line = page.split('\n').find((one) => one.startsWith('{ "agent_servers"')) ?? '';
    const { Goalkeeper } = (JSON.parse(line) as { agent_servers: Record<string, Command> })
      .agent_servers;
    expect(Goalkeeper).toMatchObject({ command: 'goalkeeper', args: ['acp', ...CRITERIA] });
    const editor = await edit(Goalkeeper?.args.slice(1));
    expect(editor.hello).toMatchObject({
      ...{ protocolVersion: 1, agentInfo: { name: 'goalkeeper' } },
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
    });
    await editor.open(await the.goals.world.workspace({}));
    await editor.until(() => editor.of('available_commands_update').length > 0);
  });
});
