import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadSessionResponse } from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type ScriptedReply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { picks, startEditor, type TestEditor } from './acp-editor.ts';

const SAID = 'I look first at what is there, and then, after all of that, I write the answer.';
const works: ScriptedReply = {
  ...reply.call('run_command', { command: 'echo made && sleep 0.1' }, SAID),
  pieceDelayMs: 150,
};
const list = (...contents: string[]) =>
  reply.call('todo_write', { todos: contents.map((content) => ({ content, status: 'pending' })) });
const CRITERION = ['--criterion', 'test "$(cat answer.txt)" = 42', '--change', 'answer.txt'];

const CRITERIA = ['--criterion', 'npm test'];
interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

describe('goalkeeper acp, an agent of editors', () => {
  let goals: ScriptedGoals;
  let environment: Readonly<Record<string, string>>;
  const editors: TestEditor[] = [];
  /** Holds the model's answers of `holds` until it is opened. */
  let gate: { readonly opened: Promise<void>; readonly open: () => void };
  const close = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gate = { opened, open };
  };

  beforeAll(async () => {
    close();
    goals = await openScriptedGoals({
      works: sequence([list('Write the answer', 'Say so'), works, write, list(), claim]),
      next: sequence([claim]),
      claims: sequence([write, claim, reply.text('So be it.'), claim]),
      asks: sequence([
        reply.call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] }),
        write,
        claim,
      ]),
      holds: async (request) => {
        await gate.opened;
        return sequence([write, claim])(request);
      },
    });
    environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
  });
  afterAll(async () => {
    gate.open();
    await Promise.all(editors.map((editor) => editor.kill()));
    await goals.world.close();
  });

  const edit = async (args: readonly string[] = CRITERION, more: object = {}) => {
    const editor = await startEditor({ ...environment, ...more }, args);
    editors.push(editor);
    return editor;
  };
  const goalOf = (sessionId: string) =>
    goals.world.client.get<Goal>(`/v1/threads/${sessionId}/goal`);
  const statuses = (editor: TestEditor) => {
    const states = new Map<string, unknown>();
    for (const { toolCallId, status } of editor.of('tool_call')) states.set(toolCallId, status);
    for (const { toolCallId, status } of editor.of('tool_call_update'))
      states.set(toolCallId, status);
    return [...new Set(states.values())];
  };

  test('ACP-1 a prompt starts a goal in the folder of the session, shows its words, calls and plan, and ends with its proof', async () => {
    const editor = await edit();
    const folder = await goals.world.workspace({});
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

  test('ACP-2 what the model says is shown while it says it', async () => {
    const editor = await edit();
    const sessionId = await editor.open(await goals.world.workspace({}));
    await editor.prompt(sessionId, 'works: go');
    const said = editor.of('agent_message_chunk');
    const first = said.findIndex(
      ({ content }) => content.type === 'text' && content.text.startsWith('I look'),
    );
    // How many pieces they are is told by how busy the machine is.
    expect(said[first]).not.toMatchObject({
      content: { text: expect.stringContaining('I write') },
    });
    expect(said[first + 1]?.messageId).toBe(said[first]?.messageId);
  });

  test('ACP-3 an approval is asked of the person in the editor, and what they say is decided with their token', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await goals.world.workspace({}));
    const answers = ['deny', 'approve'];
    editor.answer = () => picks(answers.shift() ?? '');
    expect(await editor.prompt(sessionId, 'claims: go')).toBe('end_turn');
    const goal = await goalOf(sessionId);
    expect(goal.completion?.verification).toBe('accepted_by_person');
    expect(editor.asked).toHaveLength(2);
    expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
    expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('It is written.');
    const rows = await goals.world.database`
      SELECT state, decided_by FROM approval WHERE goal_id = ${goal.goalId} ORDER BY created_at`;
    expect(rows.map(({ state }) => state)).toEqual(['denied', 'approved']);
    for (const { decided_by } of rows) expect(decided_by).toMatch(/^operator/);
  });

  test('ACP-4 an approval that is answered elsewhere is taken back, and the turn goes on', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await goals.world.workspace({}));
    let isTakenBack = false;
    editor.answer = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isTakenBack = true;
          resolve({ outcome: { outcome: 'cancelled' } });
        });
      });
    const prompted = editor.prompt(sessionId, 'claims: go');
    await editor.until(() => editor.asked.length > 0);
    const { goalId } = await goalOf(sessionId);
    const { items } = await goals.world.client.get<{ items: { approvalId: string }[] }>(
      `/v1/approvals?goalId=${goalId}`,
    );
    await goals.send(goalId, `approvals/${items[0]?.approvalId}`, { decision: 'approve' });
    expect(await prompted).toBe('end_turn');
    await editor.until(() => isTakenBack);
  });

  test('ACP-5 a person who answers nothing leaves the goal as it is, and is asked again by /watch', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await goals.world.workspace({}));
    editor.answer = () => ({ outcome: { outcome: 'cancelled' } });
    expect(await editor.prompt(sessionId, 'claims: go')).toBe('end_turn');
    expect((await goalOf(sessionId)).pause?.reason).toBe('unverified_claim');
    editor.answer = () => picks('approve');
    expect(await editor.prompt(sessionId, '/watch')).toBe('end_turn');
    expect((await goalOf(sessionId)).status).toBe('complete');
  });

  test('ACP-6 a question ends the turn with its options, and the next prompt answers it', async () => {
    const editor = await edit();
    const sessionId = await editor.open(await goals.world.workspace({}));
    expect(await editor.prompt(sessionId, 'asks: go')).toBe('end_turn');
    expect(editor.words()).toContain('**Which colour?**');
    expect(editor.words()).toContain('2. blue');
    expect(await editor.prompt(sessionId, '2')).toBe('end_turn');
    const { goalId, status } = await goalOf(sessionId);
    expect(status).toBe('complete');
    const said = goals.world.model.requests.flatMap(({ messages }) => messages);
    expect(said.some(({ text }) => text.includes('blue') && !text.includes('options'))).toBe(true);
    expect(goalId).toBeDefined();
  });

  test('ACP-7 a cancel pauses the goal, which /resume leads on', async () => {
    close();
    const editor = await edit();
    const sessionId = await editor.open(await goals.world.workspace({}));
    const prompted = editor.prompt(sessionId, 'holds: go');
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await goals.asked(goalId);
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await prompted).toBe('cancelled');
    expect((await goalOf(sessionId)).pause?.reason).toBe('person');
    gate.open();
    expect(await editor.prompt(sessionId, '/resume')).toBe('end_turn');
    expect((await goalOf(sessionId)).completion?.verification).toBe('verified');
  });

  test('ACP-8 a cancel that comes while the goal starts pauses it all the same', async () => {
    close();
    const editor = await edit();
    const sessionId = await editor.open(await goals.world.workspace({}));
    const prompted = editor.prompt(sessionId, 'holds: go');
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await prompted).toBe('cancelled');
    expect((await goalOf(sessionId)).pause?.reason).toBe('person');
    gate.open();
  });

  test('ACP-9 a process that is killed takes nothing along: the goal ends, another process shows it whole, and the conversation goes on', async () => {
    close();
    const folder = await goals.world.workspace({});
    const first = await edit();
    const sessionId = await first.open(folder);
    first.prompt(sessionId, 'holds: go').catch(() => {});
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await goals.asked(goalId);
    await first.kill();
    gate.open();
    await goals.rest(goalId);
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

  test('ACP-10 a goal at work is watched by another process, and takes along what is said there', async () => {
    close();
    const folder = await goals.world.workspace({});
    const first = await edit();
    const sessionId = await first.open(folder);
    const prompted = first.prompt(sessionId, 'holds: go');
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await goals.asked(goalId);
    const second = await edit();
    await second.agent.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
    expect(second.words()).toContain('The goal is at work.');
    const said = second.prompt(sessionId, 'Mind the gap.');
    await waitUntil(async () => {
      const [row] = await goals.world.database`
        SELECT count(*)::int AS n FROM inbox WHERE goal_id = ${goalId} AND delivery = 'steer'`;
      return row?.n === 1;
    });
    gate.open();
    expect(await Promise.all([prompted, said])).toEqual(['end_turn', 'end_turn']);
    expect((await goalOf(sessionId)).goalId).toBe(goalId);
    // Shown where it was said by the editor itself, and quoted in the other one.
    const quoted = (editor: TestEditor) =>
      editor
        .of('user_message_chunk')
        .filter(({ content }) => JSON.stringify(content).includes('gap'));
    expect([quoted(first).length, quoted(second).length]).toEqual([1, 0]);
  });

  test('ACP-11 sessions of a folder are its threads, the last one first', async () => {
    const editor = await edit();
    const folder = await goals.world.workspace({});
    expect(await editor.agent.request('session/list', { cwd: folder })).toEqual({ sessions: [] });
    const sessionId = await editor.open(folder);
    await editor.prompt(sessionId, 'works: go');
    await editor.prompt(sessionId, 'next: and now');
    const { sessions } = await editor.agent.request('session/list', { cwd: folder });
    expect(sessions).toEqual([
      expect.objectContaining({ sessionId, cwd: folder, title: 'next: and now' }),
    ]);
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
    await editor.open(await goals.world.workspace({}));
    await editor.until(() => editor.of('available_commands_update').length > 0);
  });

  describe('bad input', () => {
    const refusal = (code: number, data: object) => ({ code, data: expect.objectContaining(data) });
    const wayOut = expect.any(String);

    test.each([
      ['shop', 'no absolute path'],
      ['/nowhere/at/all', 'There is no folder'],
      ['/etc/hostname', 'There is no folder'],
    ])('ACP-12 a session in %s is refused with its field', async (cwd, message) => {
      const editor = await edit();
      const refused = refusal(-32_602, { field: 'cwd', wayOut });
      await expect(editor.open(cwd)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining(message),
      });
    });

    test('ACP-12 a folder that nobody serves is refused to a program, and the whole machine to everybody', async () => {
      const folder = await goals.world.workspace({});
      const program = await edit(CRITERION, { GOALKEEPER_TOKEN: TOKENS.agent });
      await expect(program.open(folder)).rejects.toMatchObject(
        refusal(-32_001, { code: 'forbidden', wayOut }),
      );
      const editor = await edit();
      await expect(editor.open('/')).rejects.toMatchObject({ data: { field: 'cwd', wayOut } });
      await editor.open(folder);
      expect(await program.open(folder)).toMatch(/^acp-/);
    });

    test('ACP-13 without a service, an address or a token a session is refused with the way out', async () => {
      const folder = await goals.world.workspace({});
      const away = await edit(CRITERION, { GOALKEEPER_URL: 'http://127.0.0.1:9' });
      await expect(away.open(folder)).rejects.toMatchObject({
        ...refusal(-32_001, { wayOut: expect.stringContaining('goalkeeper up') }),
      });
      const nowhere = await edit(CRITERION, { GOALKEEPER_URL: '' });
      await expect(nowhere.open(folder)).rejects.toMatchObject({
        message: expect.stringContaining('goalkeeper up'),
      });
      const unknown = await edit(CRITERION, { GOALKEEPER_TOKEN: 'no-token-of-anybody-00' });
      await expect(unknown.open(folder)).rejects.toMatchObject(
        refusal(-32_001, { code: 'unauthorized', wayOut }),
      );
    });

    test('ACP-14 an unknown session is refused, and one of another folder is not loaded here', async () => {
      const editor = await edit();
      const folder = await goals.world.workspace({});
      const other = await goals.world.workspace({});
      const gone = refusal(-32_002, { sessionId: 'acp-gone', wayOut });
      await expect(editor.prompt('acp-gone', 'go')).rejects.toMatchObject(gone);
      const load = (sessionId: string, cwd: string) =>
        editor.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
      await expect(load('acp-gone', folder)).rejects.toMatchObject(gone);
      await expect(load('x'.repeat(500), folder)).rejects.toMatchObject({ code: -32_002 });
      const sessionId = await editor.open(folder);
      await editor.prompt(sessionId, 'next: go');
      await expect(load(sessionId, other)).rejects.toMatchObject({
        message: expect.stringContaining(folder),
        data: { field: 'cwd' },
      });
    });

    test('ACP-15 a prompt beside another, an empty one, and one with a picture are refused; the goal goes on', async () => {
      close();
      const editor = await edit();
      const sessionId = await editor.open(await goals.world.workspace({}));
      const send = (prompt: object[]) =>
        editor.agent.request('session/prompt', { sessionId, prompt } as never);
      await expect(editor.prompt(sessionId, ' … ')).rejects.toMatchObject(
        refusal(-32_602, { field: 'prompt', wayOut }),
      );
      const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
      await expect(send([picture])).rejects.toMatchObject({ data: { field: 'prompt', wayOut } });
      await expect(editor.prompt(sessionId, '/resume')).rejects.toMatchObject({
        data: { field: 'prompt' },
      });
      await expect(editor.prompt(sessionId, 'x'.repeat(4001))).rejects.toMatchObject(
        refusal(-32_602, { code: 'invalid_request', field: 'objective' }),
      );
      const prompted = editor.prompt(sessionId, 'holds: go');
      await waitUntil(() => goalOf(sessionId).catch(() => null));
      await expect(editor.prompt(sessionId, 'and this')).rejects.toMatchObject(
        refusal(-32_001, { sessionId, wayOut }),
      );
      gate.open();
      expect(await prompted).toBe('end_turn');
    });

    test('ACP-16 terms of a repository that only a person may set are not taken unseen', async () => {
      const folder = await goals.world.workspace({});
      await writeFile(join(folder, 'goalkeeper.yaml'), 'policy: { sandbox: { network: host } }\n');
      const editor = await edit();
      const sessionId = await editor.open(folder);
      await expect(editor.prompt(sessionId, 'works: go')).rejects.toMatchObject({
        ...refusal(-32_602, { wayOut: expect.stringContaining('--accept-terms') }),
      });
    });
  });
});
