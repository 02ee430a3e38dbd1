import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/failures.ts';
import type { CallService } from '../../mcp/call-service.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { type Application, principalOf } from '../application.ts';
import { ROLE_HEADER } from './authentication.ts';

const NOT_OFFERED = {
  jsonrpc: '2.0',
  error: { code: -32_000, message: 'This server keeps no sessions: send requests by POST.' },
  id: null,
};

/**
 * `/mcp`, the tools of `goalkeeper mcp` over streamable HTTP: without sessions, so that any API
 * process answers any request. Each tool calls the REST API with the caller's own token.
 */
export function addMcp(application: Application, version: string): void {
  application.route({
    method: 'POST',
    url: '/mcp',
    config: { operation: 'useMcp' },
    schema: { hide: true },
    handler: async (request, reply) => {
      assertNoSession(request);
      const createServer = () => createMcpServer(insideOf(application, request), version);
      const asked = webRequest(request);
      const isOld = await isLegacyRequest(asked, request.body);
      const answered = isOld ? answeredByHandshake : answeredByItself;
      await answered(createServer, asked, request.body, (answer) => send(reply, answer));
      return reply;
    },
  });
  application.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    config: { operation: 'useMcp' },
    schema: { hide: true },
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(NOT_OFFERED),
  });
}

type Answered = (
  createServer: () => McpServer,
  asked: Request,
  parsedBody: unknown,
  send: (answer: Response) => Promise<void>,
) => Promise<void>;

/** Revisions up to 2025-11-25. */
const answeredByHandshake: Answered = async (createServer, asked, parsedBody, send) => {
  const server = createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    await send(await transport.handleRequest(asked, { parsedBody }));
  } finally {
    await server.close();
  }
};

/** Since 2026-07-28 a request says all of itself. Nothing changes, so nobody may listen. */
const answeredByItself: Answered = async (createServer, asked, parsedBody, send) => {
  const handler = createMcpHandler(createServer, {
    legacy: 'reject',
    maxSubscriptions: 0,
  });
  try {
    await send(await handler.fetch(asked, { parsedBody }));
  } finally {
    await handler.close();
  }
};

/** A browser's session can't be handed on to the tools' own calls, and no browser speaks MCP. */
function assertNoSession(request: FastifyRequest): void {
  if (request.sessionEndsAt === null) return;
  const { role } = principalOf(request);
  throw new Refusal('forbidden', 'MCP takes tokens, and no session of a browser.', { role });
}

function insideOf(application: Application, request: FastifyRequest): CallService {
  const { headers } = request;
  const caller = {
    authorization: headers.authorization ?? '',
    host: headers.host ?? '',
    [ROLE_HEADER]: `${principalOf(request).role}, agent`,
  };
  return async ({ method, path, body, idempotencyKey }) => {
    const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await application.inject({
      method,
      url: path,
      remoteAddress: request.ip,
      headers: { ...caller, ...key },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { isOk: answer.statusCode < 400, body: answer.json<unknown>() };
  };
}

function webRequest({ method, url, headers, hostname }: FastifyRequest): Request {
  const given = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Request(new URL(url, `http://${hostname}`), { method, headers: given });
}

async function send(reply: FastifyReply, answer: Response): Promise<void> {
  reply.code(answer.status).headers(Object.fromEntries(answer.headers));
  await reply.send(answer.body === null ? undefined : Buffer.from(await answer.arrayBuffer()));
}
