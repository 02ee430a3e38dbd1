import * as next from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { createApi, type RoleName } from './calls.ts';
import { tokens } from './memory-ports.ts';

const { memory, server } = createApi();
let url: string;
beforeAll(async () => {
  url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/mcp`;
});
afterAll(() => server.close());

const TASKS = 'io.modelcontextprotocol/tasks';
const REVISION = '2026-07-28';
const started = {
  name: 'start_goal',
  arguments: { objective: 'Fix it', workspace: { name: 'shop' } },
};

interface Answer {
  readonly result?: Readonly<Record<string, unknown>> & { readonly taskId?: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** A request as the extension's text has it: no client of the SDKs takes tasks by this revision. */
async function ask(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { role = 'agent', takesTasks = true }: { role?: RoleName; takesTasks?: boolean } = {},
): Promise<Answer> {
  const name = params.name ?? params.taskId;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': takesTasks ? { extensions: { [TASKS]: {} } } : {},
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${tokens[role]}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-method': method },
      ...{ 'mcp-protocol-version': REVISION, 'mcp-name': String(name) },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const line = text.split('\n').find((one) => one.startsWith('data: '));
  return JSON.parse(line?.slice(6) ?? text) as Answer;
}

const begin = async (): Promise<string> => {
  const { result } = await ask('tools/call', started);
  return result?.taskId ?? expect.unreachable(JSON.stringify(result));
};
const change = (goalId: string, more: object) => {
  const goal = memory.goals.get(goalId) as Goal;
  memory.goals.set(goalId, { ...goal, ...more } as Goal);
};

describe('a goal as a task of MCP', () => {
  it('MCP-34 is what a client gets that takes tasks in this very request, and nobody else', async () => {
    const { result } = await ask('tools/call', started);
    expect(result).toMatchObject({
      ...{ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 5000 },
      ...{ createdAt: expect.any(String), lastUpdatedAt: expect.any(String) },
    });
    expect(memory.goals.has(result?.taskId ?? '')).toBe(true);
    const plain = await ask('tools/call', started, { takesTasks: false });
    expect(plain.result).toMatchObject({ resultType: 'complete' });
    expect(plain.result).not.toHaveProperty('taskId');
    const other = { name: 'get_goal', arguments: { goalId: result?.taskId } };
    expect((await ask('tools/call', other)).result).toMatchObject({ resultType: 'complete' });
    const refused = { name: 'start_goal', arguments: { objective: '' } };
    expect((await ask('tools/call', refused)).result).toMatchObject({ isError: true });
  });

  it('MCP-34 is offered to the official client, which takes no tasks and gets none', async () => {
    const client = new next.Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: REVISION } } },
    );
    const headers = { authorization: `Bearer ${tokens.agent}` };
    const transport = new next.StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect(client.getServerCapabilities()?.extensions).toEqual({ [TASKS]: {} });
    const answer = await client.callTool(started);
    expect(answer.structuredContent).toMatchObject({ status: 'active' });
  });

  it('MCP-35 is at work until the goal is complete, whatever rests in between, and then holds its answer', async () => {
    const taskId = await begin();
    const get = async () => (await ask('tasks/get', { taskId })).result;
    expect(await get()).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    const pause = { reason: 'question', message: 'Which colour?' };
    change(taskId, { status: 'paused', pause });
    expect(await get()).toMatchObject({
      ...{ status: 'working', pollIntervalMs: 60_000 },
      statusMessage: expect.stringContaining('Which colour?'),
    });
    change(taskId, { status: 'complete', pause: undefined });
    expect(await get()).toMatchObject({
      status: 'completed',
      result: { structuredContent: { goalId: taskId, status: 'complete' } },
    });
    const dropped = await begin();
    change(dropped, { status: 'paused', archivedAt: new Date().toISOString() });
    expect((await ask('tasks/get', { taskId: dropped })).result).toMatchObject({
      status: 'cancelled',
    });
  });

  it('MCP-36 is paused where it is cancelled, as far as the role may, and takes no answers of people', async () => {
    const taskId = await begin();
    const lowly = await ask('tasks/cancel', { taskId }, { role: 'viewer' });
    expect(lowly.error).toMatchObject({ code: -32_602, data: { code: 'forbidden' } });
    expect(memory.mutations.filter(({ kind }) => kind === 'pause')).toEqual([]);
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({
      resultType: 'complete',
    });
    expect(memory.mutations.at(-1)).toMatchObject({ kind: 'pause' });
    const inputResponses = { approval: { action: 'accept' } };
    const before = memory.mutations.length;
    expect((await ask('tasks/update', { taskId, inputResponses })).error).toBeUndefined();
    expect(memory.mutations.length).toBe(before);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const unknown = await ask(method, { taskId: 'g-none' });
      expect(unknown.error).toMatchObject({ code: -32_602, data: { code: 'not_found' } });
    }
  });
});
