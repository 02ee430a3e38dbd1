import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { GoalStatus } from '../../schema/goal.ts';
import type { CallService, ServiceAnswer } from './call-service.ts';

/** The extension by which a call is answered with a handle that is asked again (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';

const WORKING_POLL_MS = 5000;
/** Nothing goes on until a person acts. */
const RESTING_POLL_MS = 60_000;

interface SeenGoal {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pause?: { readonly reason: string; readonly message: string };
  readonly activity: { readonly reason: string };
  readonly archivedAt?: string;
}

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: {
    readonly extensions?: Readonly<Record<string, unknown>>;
  };
}

/** Whether this very request says that its client takes handles. */
export function takesTasks({ mcpReq: { envelope } }: ServerContext): boolean {
  const able = ((envelope ?? {}) as Envelope)[CLIENT_CAPABILITIES_META_KEY];
  return able?.extensions?.[TASKS] !== undefined;
}

/**
 * A goal as a task: its id is the task's, so a handle outlives every process here. A goal that rests
 * may be taken up again by a person, so only one that is complete, or that a person has put away,
 * has come to its end.
 */
export function taskOf(goal: SeenGoal) {
  const { goalId, createdAt, updatedAt } = goal;
  const status = statusOf(goal);
  const pollIntervalMs = goal.status === 'active' ? WORKING_POLL_MS : RESTING_POLL_MS;
  return {
    ...{ taskId: goalId, status, statusMessage: messageOf(goal), createdAt },
    ...{ lastUpdatedAt: updatedAt, ttlMs: null, pollIntervalMs },
  };
}

function statusOf({ status, archivedAt }: SeenGoal): 'working' | 'completed' | 'cancelled' {
  if (status === 'complete') return 'completed';
  return archivedAt === undefined ? 'working' : 'cancelled';
}

function messageOf({ status, pause, activity }: SeenGoal): string {
  if (pause !== undefined) return `paused (${pause.reason}): ${pause.message} A person resumes it.`;
  return status === 'budget_limited'
    ? 'its budget is used up; a person extends it'
    : activity.reason;
}

/** What is asked of a handle: how the goal is, and to pause it. Questions are answered by people. */
export function offerTasks({ server }: McpServer, callService: CallService, toResult: ToResult) {
  const params = z.looseObject({ taskId: z.string().min(1).max(80) });
  const at = (taskId: string) => `/v1/goals/${encodeURIComponent(taskId)}`;
  const look = async (taskId: string) =>
    bodyOf(await callService({ method: 'GET', path: at(taskId) }));
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }) => {
    const answer = await look(taskId);
    const task = taskOf(answer.body as SeenGoal);
    return task.status === 'completed' ? { ...task, result: toResult(answer) } : task;
  });
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }) => {
    await look(taskId);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }) => {
    bodyOf(await callService({ method: 'POST', path: `${at(taskId)}/pause`, body: {} }));
    return {};
  });
}

type ToResult = (answer: ServiceAnswer) => object;

/** @throws the service's refusal, as the protocol's error with the problem in its data */
function bodyOf(answer: ServiceAnswer): ServiceAnswer {
  if (answer.isOk) return answer;
  const { code, detail = 'refused' } = answer.body as { code?: string; detail?: string };
  const kind = code === 'service_away' ? 'InternalError' : 'InvalidParams';
  throw new ProtocolError(ProtocolErrorCode[kind], detail, answer.body);
}
