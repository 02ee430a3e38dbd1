import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TOKENS } from '../support/goal-world.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { picks, type TestEditor } from './acp-editor.ts';
import { CRITERION, editedGoals } from './edited-goals.ts';

describe('goalkeeper acp, an agent of editors', () => {
  const the = editedGoals();
  const { close, edit, goalOf } = the;

  test('ACP-2 what the model says is shown while it says it', async () => {
    const editor = await edit();
    const sessionId = await editor.open(await the.goals.world.workspace({}));
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

  test('ACP-4 an approval that is answered elsewhere is taken back, and the turn goes on', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await the.goals.world.workspace({}));
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
    const { items } = await the.goals.world.client.get<{ items: { approvalId: string }[] }>(
      `/v1/approvals?goalId=${goalId}`,
    );
    await the.goals.send(goalId, `approvals/${items[0]?.approvalId}`, { decision: 'approve' });
    expect(await prompted).toBe('end_turn');
    await editor.until(() => isTakenBack);
  });

  test('ACP-5 a person who answers nothing leaves the goal as it is, and is asked again by /watch', async () => {
    const editor = await edit(['--judge-myself']);
    const sessionId = await editor.open(await the.goals.world.workspace({}));
    editor.answer = () => ({ outcome: { outcome: 'cancelled' } });
    expect(await editor.prompt(sessionId, 'claims: go')).toBe('end_turn');
    expect((await goalOf(sessionId)).pause?.reason).toBe('unverified_claim');
    editor.answer = () => picks('approve');
    expect(await editor.prompt(sessionId, '/watch')).toBe('end_turn');
    expect((await goalOf(sessionId)).status).toBe('complete');
  });

  test('ACP-8 a cancel that comes while the goal starts pauses it all the same', async () => {
    close();
    const editor = await edit();
    const sessionId = await editor.open(await the.goals.world.workspace({}));
    const prompted = editor.prompt(sessionId, 'holds: go');
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await prompted).toBe('cancelled');
    expect((await goalOf(sessionId)).pause?.reason).toBe('person');
    the.open();
  });

  test('ACP-10 a goal at work is watched by another process, and takes along what is said there', async () => {
    close();
    const folder = await the.goals.world.workspace({});
    const first = await edit();
    const sessionId = await first.open(folder);
    const prompted = first.prompt(sessionId, 'holds: go');
    const { goalId } = await waitUntil(() => goalOf(sessionId).catch(() => null));
    await the.goals.asked(goalId);
    const second = await edit();
    await second.agent.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
    expect(second.words()).toContain('The goal is at work.');
    const said = second.prompt(sessionId, 'Mind the gap.');
    await waitUntil(async () => {
      const [row] = await the.goals.world.database`
        SELECT count(*)::int AS n FROM inbox WHERE goal_id = ${goalId} AND delivery = 'steer'`;
      return row?.n === 1;
    });
    the.open();
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
    const folder = await the.goals.world.workspace({});
    expect(await editor.agent.request('session/list', { cwd: folder })).toEqual({ sessions: [] });
    const sessionId = await editor.open(folder);
    await editor.prompt(sessionId, 'works: go');
    await editor.prompt(sessionId, 'next: and now');
    const { sessions } = await editor.agent.request('session/list', { cwd: folder });
    expect(sessions).toEqual([
      expect.objectContaining({ sessionId, cwd: folder, title: 'next: and now' }),
    ]);
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
      const folder = await the.goals.world.workspace({});
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
      const folder = await the.goals.world.workspace({});
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
      const folder = await the.goals.world.workspace({});
      const other = await the.goals.world.workspace({});
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
      const sessionId = await editor.open(await the.goals.world.workspace({}));
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
      the.open();
      expect(await prompted).toBe('end_turn');
    });

    test('ACP-16 terms of a repository that only a person may set are not taken unseen', async () => {
      const folder = await the.goals.world.workspace({});
      await writeFile(join(folder, 'goalkeeper.yaml'), 'policy: { sandbox: { network: host } }\n');
      const editor = await edit();
      const sessionId = await editor.open(folder);
      await expect(editor.prompt(sessionId, 'works: go')).rejects.toMatchObject({
        ...refusal(-32_602, { wayOut: expect.stringContaining('--accept-terms') }),
      });
    });
  });
});
