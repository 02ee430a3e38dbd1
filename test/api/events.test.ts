import { once } from 'node:events';
import { get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiPorts } from '../../src/api/application.ts';
import { hashOfSecret } from '../../src/api/session-cookie.ts';
import { createTokens } from '../../src/api/tokens.ts';
import { createApi } from './calls.ts';
import { memorySessions, memoryTokens, settings, tokens } from './memory-ports.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(change: Partial<ApiPorts> = {}) {
  const api = createApi(change);
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => api.server.close());
  const { port } = api.server.server.address() as AddressInfo;
  const { body } = await api.call('POST /v1/goals', { body: { objective: 'x' } });
  const goalId: string = body.goalId;
  const append = (seq: number, data: object = { seq }) =>
    api.memory.events.push({
      goalId,
      seq,
      type: 'turn.opened',
      data: { ...data },
      at: '2026-01-01T00:00:00.000Z',
    });
  return { ...api, goalId, append, url: `http://127.0.0.1:${port}` };
}

const asViewer = { authorization: `Bearer ${tokens.viewer}` };

async function open(url: string, headers: Record<string, string> = asViewer) {
  const leaving = new AbortController();
  const answer = await fetch(url, {
    headers,
    signal: leaving.signal,
  });
  const waiting: EventSourceMessage[] = [];
  let comments = 0;
  let wake = () => {};
  const parser = createParser({
    onEvent: (event) => void waiting.push(event),
    onComment: () => {
      comments += 1;
    },
  });
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      wake();
    }
  })().catch(() => undefined);
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    answer,
    ended,
    leave: () => leaving.abort(),
    heartbeat: (count = 1) => until(() => comments >= count),
    take: async (count: number) => {
      await until(() => waiting.length >= count);
      return waiting.splice(0, count);
    },
  };
}

describe('GET /v1/goals/{goalId}/events', () => {
  it('sends the backlog, then what comes live, each with its id', async () => {
    const { goalId, append, url, memory } = await listening();
    append(1);
    append(2);
    const stream = await open(`${url}/v1/goals/${goalId}/events`);
    expect(stream.answer.headers.get('content-type')).toContain('text/event-stream');
    expect((await stream.take(2)).map((event) => event.id)).toEqual([`${goalId}:1`, `${goalId}:2`]);
    append(3);
    memory.notify();
    const [live] = await stream.take(1);
    expect(live).toMatchObject({ id: `${goalId}:3`, event: 'turn.opened' });
    expect(JSON.parse(live?.data ?? '')).toMatchObject({ goalId, seq: 3, data: { seq: 3 } });
    stream.leave();
  });

  it('goes on after Last-Event-ID, without gap or repetition', async () => {
    const { goalId, append, url } = await listening();
    for (let seq = 1; seq <= 450; seq += 1) append(seq);
    const stream = await open(`${url}/v1/goals/${goalId}/events`, {
      ...asViewer,
      'last-event-id': `${goalId}:3`,
    });
    const ids = (await stream.take(447)).map((event) => Number(event.id?.split(':')[1]));
    expect(ids).toEqual(Array.from({ length: 447 }, (_, index) => index + 4));
    stream.leave();
  });

  it('finds new events by its poll when no notification comes, and keeps quiet streams open', async () => {
    const { goalId, append, url } = await listening();
    const stream = await open(`${url}/v1/goals/${goalId}/events?after=0`);
    await stream.heartbeat();
    append(1);
    expect(await stream.take(1)).toHaveLength(1);
    stream.leave();
  });

  it('ends when the service closes', async () => {
    const { goalId, url, server } = await listening();
    const stream = await open(`${url}/v1/goals/${goalId}/events`);
    await server.close();
    await stream.ended;
  });

  it('refuses the event id of another goal', async () => {
    const { call, goalId } = await listening();
    const answer = await call(`GET /v1/goals/${goalId}/events`, {
      headers: { 'last-event-id': 'g-other:1' },
    });
    expect(answer.body).toMatchObject({ status: 400, field: 'Last-Event-ID' });
  });
});

describe('the stream of a session', () => {
  it('ends soon after its browser signed out, and not before', async () => {
    const { url, call } = await listening();
    const signedIn = await call('POST /v1/session', { body: { token: tokens.viewer } });
    const { consoleSecret } = signedIn.body as { consoleSecret: string };
    const own = { origin: 'http://127.0.0.1:7420', 'x-goalkeeper-console': consoleSecret };
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
    const stream = await open(`${url}/v1/events`, { cookie, ...own });
    await stream.heartbeat(10);
    expect((await call('DELETE /v1/session', { headers: { ...own, cookie } })).status).toBe(204);
    await stream.ended;
  });

  it('ends with it also where the reader takes nothing, and harms the service in nothing', async () => {
    const known = createTokens(settings.tokens, memoryTokens());
    const tokenName = (await known.principalOf(tokens.viewer))?.name ?? '';
    const sessions = {
      ...memorySessions(),
      find: async () => ({
        tokenName,
        identity: null,
        consoleHash: hashOfSecret('mine'),
        expiresAt: new Date(Date.now() + 150).toISOString(),
      }),
    };
    const { goalId, append, url, server } = await listening({ sessions });
    for (let seq = 1; seq <= 40; seq += 1) append(seq, { text: 'x'.repeat(1_000_000) });
    const errors: unknown[] = [];
    const served = new Promise<ServerResponse>((resolve) =>
      server.server.once('request', (_request, response: ServerResponse) => resolve(response)),
    );
    const reader = get(`${url}/v1/goals/${goalId}/events`, {
      headers: { cookie: 'goalkeeper_session=secret', 'x-goalkeeper-console': 'mine' },
    });
    closers.push(async () => reader.destroy());
    const response = await served;
    response.on('error', (error) => errors.push(error));
    const [answer] = await once(reader, 'response');
    answer.pause();
    await once(response, 'close');
    expect(errors).toEqual([]);
  });
});

describe('GET /v1/events', () => {
  it('tells which goal changed, and nothing of what was before', async () => {
    const { call, goalId, url } = await listening();
    const stream = await open(`${url}/v1/events`);
    await stream.heartbeat();
    await call(`POST /v1/goals/${goalId}/pause`);
    const [notice] = await stream.take(1);
    expect(notice?.event).toBe('goal.changed');
    expect(JSON.parse(notice?.data ?? '')).toMatchObject({ goalId, revision: 2 });
    stream.leave();
  });
});
