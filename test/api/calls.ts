import type { FastifyInstance } from 'fastify';
import type { ApiPorts } from '../../src/api/application.ts';
import { buildServer } from '../../src/api/server.ts';
import { createMemory, memoryPorts, tokens } from './memory-ports.ts';

export type RoleName = keyof typeof tokens;

export interface Called {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by tests that know them
  readonly body: any;
}

export function createApi(change: Partial<ApiPorts> = {}) {
  const memory = createMemory();
  const server = buildServer(memoryPorts(memory, change));
  return { memory, server, call: caller(server) };
}

function caller(server: FastifyInstance) {
  return async (
    line: string,
    options: {
      body?: unknown;
      role?: RoleName;
      headers?: Record<string, string>;
      raw?: string;
      /** The address that it comes from; 127.0.0.1 unless told. */
      from?: string;
    } = {},
  ): Promise<Called> => {
    const [method = 'GET', url = '/'] = line.split(' ');
    const payload =
      options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const answer = await server.inject({
      method: method as 'GET',
      url,
      ...(options.from === undefined ? {} : { remoteAddress: options.from }),
      headers: {
        host: '127.0.0.1:7420',
        authorization: `Bearer ${tokens[options.role ?? 'operator']}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: parsed(answer.body) };
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
