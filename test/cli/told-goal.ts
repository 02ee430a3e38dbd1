import type { Goal } from '../../schema/goal.ts';
import type { Call, Turn } from '../../schema/turn.ts';
import type { Client } from '../../src/cli/client.ts';

export const GOAL_ID = 'g-0123456789abcdef';

export const goalThat = (change: Partial<Goal>): Goal =>
  ({
    goalId: GOAL_ID,
    objective: 'Fix it',
    status: 'active',
    activity: { state: 'running', actor: 'Agent', on: 'model', reason: '', since: 'then' },
    revision: 3,
    threadId: 't-1',
    model: 'openai/gpt-test',
    mode: 'agent',
    isolation: 'sandbox',
    workspace: { name: 'shop', path: '/srv/shop' },
    criteria: [],
    policy: {},
    todos: { done: 0, total: 0 },
    usage: {
      ...{ turns: 2, tokens: 10, activeSeconds: 1, costUsd: '0', cachedInputTokens: 0 },
      own: { turns: 2 },
    },
    budget: { turns: null, tokens: null, activeSeconds: null, costUsd: null },
    ...change,
  }) as unknown as Goal;

export const rested = (change: Partial<Goal> = {}): Goal =>
  goalThat({
    status: 'complete',
    activity: { ...goalThat({}).activity, state: 'idle' },
    ...change,
  });

/** An event of the stream in its own words; `seq: null` = one that is not kept. */
export const told = (seq: number | null, type: string, data: object = {}): string => {
  const body = { ...(seq === null ? {} : { seq }), type, at: '2026-01-01T10:20:30.000Z', data };
  return `event: ${type}\n${seq === null ? '' : `id: ${seq}\n`}data: ${JSON.stringify(body)}\n\n`;
};

export const CAUGHT_UP = ': caught up\n\n';

/** The stream's pieces as they arrive; it ends well behind them, or breaks. */
export type Stream = readonly (string | Uint8Array | 'breaks' | 'stays open')[] | Error;

/**
 * A service that tells these streams, one a connection, and the goal as it is after each look;
 * the last of both stays.
 */
export function toldClient(
  streams: readonly Stream[],
  goals: readonly Goal[],
  record: Recorded = {},
) {
  const opened: string[] = [];
  let looks = 0;
  const client: Client = {
    async open(path, _headers, signal) {
      opened.push(path);
      const stream = streams[Math.min(opened.length, streams.length) - 1] ?? [];
      if (stream instanceof Error) throw stream;
      return new Response(bodyOf(stream, signal));
    },
    async get<Answer>(path: string) {
      if (path.startsWith('/v1/approvals')) return { items: [], nextCursor: null } as Answer;
      if (path.endsWith('/question')) return { question: null } as Answer;
      if (/\/(?:calls|turns)\?/.test(path)) return recorded(path, record) as Answer;
      looks += 1;
      return goals[Math.min(looks, goals.length) - 1] as Answer;
    },
    upload: async () => {
      throw new Error('nothing is uploaded here');
    },
    text: async () => record.output ?? '',
    send: () => Promise.reject(new Error('nothing is sent by whoever watches')),
  };
  return { client, opened };
}

/** What the record of such a goal has. */
export interface Recorded {
  readonly calls?: readonly Call[];
  readonly turns?: readonly Turn[];
  /** Of every call. */
  readonly output?: string;
}

function recorded(path: string, { calls = [], turns = [] }: Recorded) {
  const query = new URLSearchParams(path.split('?')[1]);
  const turn = query.get('turn');
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const items = path.includes('/calls?')
    ? calls.filter((call) => (turn === null ? call.outcome === null : call.turn === Number(turn)))
    : turns.filter((one) => one.turn < before).toSorted((one, other) => other.turn - one.turn);
  return { items, nextCursor: null };
}

function bodyOf(stream: Exclude<Stream, Error>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const left = [...stream];
  return new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) return controller.close();
      if (piece === 'breaks') return controller.error(new TypeError('terminated'));
      if (piece === 'stays open') return new Promise<void>(() => {});
      controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
    },
  });
}
