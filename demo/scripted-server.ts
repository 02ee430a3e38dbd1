import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { googleModelIn, googleWire } from './google-wire.ts';
import { responsesWire } from './responses-wire.ts';
import type { ChatRequest, Script, ScriptedReply, ScriptedUsage } from './script.ts';
import { anthropicWire, openaiWire, type Wire, type WireBody } from './scripted-wire.ts';
import { rawInput } from './wire-parts.ts';

export interface ScriptedModel {
  /** Base URL for the clients of all formats alike: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ChatRequest[];
  /** Connections accepted so far: tells whether clients keep them alive. */
  readonly connections: () => number;
  close(): Promise<void>;
}

const PIECE = 24;
const REQUESTS_KEPT = 10_000;

/** A model behind HTTP whose answers come from a script; it has no other behaviour of its own. */
export async function startScriptedModel(options: {
  script: Script;
  port?: number;
  /** When given, any other bearer token, `x-api-key` or `x-goog-api-key` is refused with 401. */
  apiKey?: string;
}): Promise<ScriptedModel> {
  const requests: ChatRequest[] = [];
  const seen = new Map<string, number>();
  let connections = 0;
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    });
  });
  server.on('connection', () => connections++);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (options.apiKey !== undefined && !hasKey(request, options.apiKey)) {
      return sendJson(response, 401, {
        error: { message: 'wrong key', type: 'authentication_error' },
      });
    }
    if (path === '/v1/models') return sendJson(response, 200, modelList);
    const googleModel = googleModelIn(path);
    const wire = googleModel === null ? wireOf(path) : googleWire;
    if (request.method !== 'POST' || wire === undefined) {
      return sendJson(response, 404, { error: { message: `no ${path}` } });
    }
    const sent = JSON.parse(await readBody(request)) as WireBody;
    const body = googleModel === null ? sent : { ...sent, model: googleModel, stream: true };
    const chat = {
      ...wire.parse(body),
      headers: request.headers,
      seenBefore: countSeen(seen, body),
    };
    requests.push(chat);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    await answer(response, wire, body, chat, await options.script(chat));
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const modelList = { object: 'list', data: [{ id: 'scripted', object: 'model', created: 0 }] };

function wireOf(path: string | undefined): Wire | undefined {
  if (path === '/v1/chat/completions') return openaiWire;
  if (path === '/v1/messages') return anthropicWire;
  if (path === '/v1/responses') return responsesWire;
  return undefined;
}

async function answer(
  response: ServerResponse,
  wire: Wire,
  body: WireBody,
  chat: ChatRequest,
  reply: ScriptedReply,
): Promise<void> {
  if (reply.delayMs !== undefined) await delay(reply.delayMs);
  if (reply.hang === 'before') return;
  if (reply.status !== undefined) {
    return sendJson(response, reply.status, reply.errorBody ?? {}, reply.headers);
  }
  const usage = usageOf(chat, reply);
  if (body.stream !== true) return sendJson(response, 200, wire.whole(body.model, reply, usage));
  await stream(response, wire, body.model, reply, usage);
}

async function stream(
  response: ServerResponse,
  wire: Wire,
  model: string,
  reply: ScriptedReply,
  usage: ScriptedUsage | null,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.write(wire.opening(model, usage));
  const text = (reply.text ?? '').slice(0, reply.cutAfter?.characters);
  for (let at = 0; at < text.length; at += PIECE) {
    if (response.destroyed) return;
    response.write(wire.textPiece(model, text.slice(at, at + PIECE)));
    if (reply.pieceDelayMs !== undefined) await delay(reply.pieceDelayMs);
  }
  await keepAlive(response, wire.alive(model), reply);
  if (reply.hang === 'after_text') return;
  if (reply.garbage !== undefined) response.write(`data: ${reply.garbage}\n\n`);
  if (reply.streamError !== undefined) {
    response.end(wire.failure(reply.streamError));
    return;
  }
  if (reply.cutAfter?.how === 'end') response.end();
  else if (reply.cutAfter?.how === 'socket') await breakSocket(response);
  else response.end(wire.closing(model, reply, usage));
}

async function keepAlive(
  response: ServerResponse,
  sign: string,
  { keepAlive: signs = { everyMs: 0, times: 0 } }: ScriptedReply,
): Promise<void> {
  for (let sent = 0; sent < signs.times && !response.destroyed; sent += 1) {
    response.write(sign);
    await delay(signs.everyMs);
  }
}

/** The bytes so far must leave first, or the client never sees that the answer began. */
async function breakSocket(response: ServerResponse): Promise<void> {
  await new Promise<void>((done) => response.write(': cut\n\n', () => done()));
  response.destroy();
}

function usageOf(chat: ChatRequest, reply: ScriptedReply): ScriptedUsage | null {
  if (reply.usage !== undefined) return reply.usage;
  const input = chat.messages.reduce((sum, message) => sum + message.text.length, 0);
  const calls = (reply.calls ?? []).reduce((sum, call) => sum + rawInput(call.input).length, 0);
  return { input: tokens(input), output: tokens((reply.text ?? '').length + calls) };
}

const tokens = (characters: number) => Math.max(1, Math.ceil(characters / 4));

function countSeen(seen: Map<string, number>, body: WireBody): number {
  const key = createHash('sha1')
    .update(JSON.stringify(body.messages ?? body.contents ?? body.input))
    .digest('base64');
  const before = seen.get(key) ?? 0;
  seen.set(key, before + 1);
  return before;
}

function hasKey(request: IncomingMessage, apiKey: string): boolean {
  const { headers } = request;
  return (
    headers.authorization === `Bearer ${apiKey}` ||
    headers['x-api-key'] === apiKey ||
    headers['x-goog-api-key'] === apiKey
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** `tsx demo/scripted-server.ts --script FILE [--port N]`; FILE exports `script`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { script: { type: 'string' }, port: { type: 'string' } },
  });
  if (values.script === undefined) throw new Error('--script FILE is needed');
  const loaded = (await import(pathToFileURL(resolve(values.script)).href)) as { script: Script };
  const model = await startScriptedModel({
    script: loaded.script,
    port: Number(values.port ?? 0),
  });
  process.stdout.write(`${model.url}\n`);
  process.once('SIGTERM', () => void model.close());
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main();
}
