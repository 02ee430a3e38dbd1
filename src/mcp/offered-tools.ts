import { z } from 'zod';
import { goalStatusSchema, messageSchema, startGoalSchema } from '../../schema/goal.ts';
import { outcomeSchema } from '../../schema/ledger.ts';
import {
  gateAnswer,
  goalAnswer,
  goalPage,
  ledgerPage,
  messageList,
  workspacePage,
} from './answers.ts';
import type { CallService } from './call-service.ts';

/** A tool for other agents. What ends, revives or decides for a goal is a person's: not here. */
export interface OfferedTool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly shape: Shape;
  readonly isReadOnly: boolean;
  /** Of its structured content. */
  readonly answer: z.ZodType;
  readonly call: (args: z.output<z.ZodObject<Shape>>) => Parameters<CallService>[0];
  /** A goal that it answers with may be told as a task. */
  readonly isTask?: true;
  /** How it is asked again until it has news; absent = it answers at once. */
  readonly waits?: (args: z.output<z.ZodObject<Shape>>) => Patience;
}

/** How long a call may wait for news, and of what. */
export interface Patience {
  readonly seconds: number;
  /** The revision that the caller knows; null = the first one that is seen. */
  readonly revision: number | null;
}

const define = <Shape extends z.ZodRawShape>(tool: OfferedTool<Shape>): OfferedTool =>
  tool as unknown as OfferedTool;

const goalId = z.string().min(1).max(80).describe('Id of the goal, as start_goal returned it');
const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Repeat a call with the same key and it still happens once');
const { limit, cursor } = {
  limit: z.int().min(1).max(100).optional().describe('Most rows; 20 unless told'),
  cursor: z.string().min(1).max(200).optional().describe('nextCursor of the page before'),
};

const { objective, criteria, budget, model, mode, workspace, threadId } = startGoalSchema.shape;

/** Clients give up a call after 60 seconds, unless their settings say otherwise. */
const MOST_WAIT = 55;

export const offeredTools: readonly OfferedTool[] = [
  define({
    name: 'start_goal',
    title: 'Start a goal',
    description:
      'Hands over an objective that is worked on until it is proven, for hours or days if need be. ' +
      'Give criteria that a host can check, such as {"kind":"command","command":"npm test"}, and a ' +
      'budget. Returns the goal at once; wait for it with get_goal. Without a workspace it works in ' +
      'the folder that you work in, where the server knows it.',
    shape: { objective, criteria, budget, model, mode, workspace, threadId, idempotencyKey },
    isReadOnly: false,
    answer: goalAnswer,
    isTask: true,
    call: ({ idempotencyKey: key, ...body }) => post('/v1/goals', body, key),
  }),
  define({
    name: 'get_goal',
    title: 'Look at a goal',
    description:
      'Status (active, paused, budget_limited, complete), who has to act next, criteria with their ' +
      'states, usage against the budget, and what completed it. With waitSeconds it answers as soon ' +
      'as something changes: better than asking again and again.',
    shape: {
      goalId,
      waitSeconds: z
        .int()
        .min(0)
        .max(MOST_WAIT)
        .optional()
        .describe('Wait so long for a change, while the goal is active; 0 unless told'),
      knownRevision: z
        .int()
        .optional()
        .describe('revision of the goal as you know it: another one is answered at once'),
    },
    isReadOnly: true,
    answer: goalAnswer,
    call: (args) => get(`/v1/goals/${encodeURIComponent(args.goalId)}`),
    waits: ({ waitSeconds = 0, knownRevision = null }) => ({
      seconds: waitSeconds,
      revision: knownRevision,
    }),
  }),
  define({
    name: 'list_goals',
    title: 'List goals',
    description: 'Goals, newest first, with who has to act next on each.',
    shape: { status: goalStatusSchema.optional(), limit, cursor },
    isReadOnly: true,
    answer: goalPage,
    call: (args) => get('/v1/goals', { limit: 20, ...args }),
  }),
  define({
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Folders in which goals can work, by name, and which goal works there now.',
    shape: {},
    isReadOnly: true,
    answer: workspacePage,
    call: () => get('/v1/workspaces'),
  }),
  define({
    name: 'pause_goal',
    title: 'Pause a goal',
    description: 'Stops it at its next call; it keeps everything. Only a person can resume it.',
    shape: { goalId, idempotencyKey },
    isReadOnly: false,
    answer: goalAnswer,
    call: (args) =>
      post(`/v1/goals/${encodeURIComponent(args.goalId)}/pause`, {}, args.idempotencyKey),
  }),
  define({
    name: 'send_message',
    title: 'Tell a goal something',
    description:
      'Says something to the model that works on the goal, as a program and not as a person. With ' +
      'delivery "pause" it answers and pauses; with "steer" it goes on with it in mind. The next ' +
      'model call reads it: until then take_back_message takes it back.',
    shape: {
      goalId,
      text: messageSchema.shape.text,
      // Not "now": a program ends no command.
      delivery: z.enum(['pause', 'steer']).optional(),
      idempotencyKey,
    },
    isReadOnly: false,
    answer: goalAnswer,
    call: ({ goalId: id, idempotencyKey: key, ...body }) =>
      post(`/v1/goals/${encodeURIComponent(id)}/messages`, body, key),
  }),
  define({
    name: 'list_messages',
    title: 'What was said to a goal',
    description:
      'The newest messages of people and programs to a goal, each waiting, read (by which turn) or ' +
      'taken back. Only one that waits can be taken back.',
    shape: { goalId },
    isReadOnly: true,
    answer: messageList,
    call: (args) => get(`/v1/goals/${encodeURIComponent(args.goalId)}/messages`),
  }),
  define({
    name: 'take_back_message',
    title: 'Take a message back',
    description:
      'Takes back what you said to a goal, before a model call reads it. Refused where a turn was ' +
      'first: say what holds instead.',
    shape: {
      goalId,
      messageId: z.string().min(1).max(200).describe('Of list_messages, whose state is waiting'),
      idempotencyKey,
    },
    isReadOnly: false,
    answer: goalAnswer,
    call: ({ goalId: id, messageId, idempotencyKey: key }) =>
      post(
        `/v1/goals/${encodeURIComponent(id)}/messages/${encodeURIComponent(messageId)}/take-back`,
        {},
        key,
      ),
  }),
  define({
    name: 'get_gate',
    title: 'What is missing',
    description: 'Why a goal may not end yet: what is missing or stale, and what would satisfy it.',
    shape: { goalId },
    isReadOnly: true,
    answer: gateAnswer,
    call: (args) => get(`/v1/goals/${encodeURIComponent(args.goalId)}/gate`),
  }),
  define({
    name: 'list_ledger',
    title: 'Read the ledger',
    description:
      'The tool calls of a goal, started and settled, with their receipts: what ran, how it ended, ' +
      'what it wrote. Its first page says whether the hash chain holds.',
    shape: {
      goalId,
      tool: z.string().min(1).max(120).optional().describe('Only calls of this tool'),
      outcome: outcomeSchema.optional(),
      q: z.string().min(1).max(200).optional().describe('Text in arguments, receipts or outputs'),
      limit,
      cursor,
    },
    isReadOnly: true,
    answer: ledgerPage,
    call: ({ goalId: id, ...query }) =>
      get(`/v1/goals/${encodeURIComponent(id)}/ledger`, { limit: 20, ...query }),
  }),
];

function get(path: string, query: Readonly<Record<string, unknown>> = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method: 'GET', path: given.length === 0 ? path : `${path}?${search}` } as const;
}

const post = (path: string, body: object, key: string | undefined) =>
  ({ method: 'POST', path, body, ...(key === undefined ? {} : { idempotencyKey: key }) }) as const;
