import { randomUUID } from 'node:crypto';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
} from '@agentclientprotocol/sdk';
import type { Goal, StartGoal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { productVersion } from '../../version.ts';
import { ApiProblem, type Client } from '../client.ts';
import { isOver } from '../goal-text.ts';
import { oneLine } from '../terminal.ts';
import { editorOf } from './editor.ts';
import { type Folder, folderAt, realFolder, servedAt } from './folder.ts';
import { type EditorSession, pauseGoal, takePrompt, tellStanding, viewOf } from './prompt.ts';
import { busy, noSession, refusedBy, unfit } from './refused.ts';
import { COMMANDS, promptText } from './words.ts';

export interface AcpPorts {
  /** Found anew for each session: the service may be started later. */
  readonly findClient: () => Client;
  /** What a goal is asked that starts in this folder. */
  readonly startOf: (client: Client, folder: Folder, objective: string) => Promise<StartGoal>;
}

/**
 * Goalkeeper as an agent of an editor. It keeps nothing: a session is a thread, and whoever starts
 * another process finds its goal there.
 */
export function acpAgent(ports: AcpPorts): AgentApp {
  const sessions = new Map<string, EditorSession>();
  const open = (client: Client, context: AgentContext, id: string, folder: Folder) => {
    const session: EditorSession = {
      ...{ id, editor: editorOf(context, id), view: null, turn: null },
      startOf: (objective) => ports.startOf(client, folder, objective),
    };
    sessions.set(id, session);
    session.editor.tell({
      sessionUpdate: 'available_commands_update',
      availableCommands: COMMANDS,
    });
    return session;
  };
  const sessionOf = (id: string): EditorSession => {
    const session = sessions.get(id);
    if (session === undefined) throw noSession(id);
    return session;
  };
  return agent({ name: 'goalkeeper' })
    .onRequest('initialize', () => HELLO)
    .onRequest('session/new', ({ params, client }) =>
      told(async () => {
        const service = ports.findClient();
        const folder = await inField(() => folderAt(service, params.cwd));
        return { sessionId: open(service, client, newId(), folder).id };
      }),
    )
    .onRequest('session/load', ({ params, client }) =>
      told(async () => {
        const service = ports.findClient();
        const { goal, folder } = await found(service, params);
        await replay(service, open(service, client, params.sessionId, folder), goal);
        return {};
      }),
    )
    .onRequest('session/list', ({ params }) => told(() => list(ports.findClient(), params)))
    .onRequest('session/prompt', ({ params, signal }) =>
      told(() => prompted(ports.findClient(), sessionOf(params.sessionId), params, signal)),
    )
    .onNotification('session/cancel', async ({ params }) => {
      const session = sessions.get(params.sessionId);
      if (session?.turn == null) return;
      session.turn.isCancelled = true;
      if (session.turn.goalId !== null) await pauseGoal(ports.findClient(), session, session.turn);
    });
}

const HELLO: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
  agentInfo: { name: 'goalkeeper', title: 'Goalkeeper', version: productVersion() },
  authMethods: [],
};

const newId = (): string => `acp-${randomUUID()}`;

async function told<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw refusedBy(error);
  }
}

async function inField<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.field !== 'path') throw error;
    throw new ApiProblem({ ...error.problem, field: 'cwd' });
  }
}

async function prompted(
  client: Client,
  session: EditorSession,
  { prompt }: Pick<PromptRequest, 'prompt'>,
  signal: AbortSignal,
): Promise<PromptResponse> {
  if (session.turn !== null) throw busy(session.id);
  const text = promptText(prompt);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  signal.addEventListener('abort', leave, { once: true });
  session.turn = { isCancelled: false, goalId: null, leaving };
  try {
    return { stopReason: await takePrompt(client, session, session.turn, text) };
  } finally {
    session.turn = null;
    signal.removeEventListener('abort', leave);
  }
}

/** The goal of a session of before, and its folder. */
async function found(
  client: Client,
  { sessionId, cwd }: Pick<LoadSessionRequest, 'sessionId' | 'cwd'>,
): Promise<{ readonly goal: Goal; readonly folder: Folder }> {
  const goal = await currentGoal(client, sessionId);
  const folder = await inField(() => folderAt(client, cwd));
  if (goal.workspace.name === folder.name) return { goal, folder };
  const what = `The goal of this session works in ${goal.workspace.name}, not in ${cwd}.`;
  throw unfit('cwd', what, `Open ${goal.workspace.path}.`);
}

async function currentGoal(client: Client, threadId: string): Promise<Goal> {
  try {
    return await client.get<Goal>(`/v1/threads/${encodeURIComponent(threadId)}/goal`);
  } catch (error) {
    const code = error instanceof ApiProblem ? error.problem.code : null;
    if (code === 'not_found' || code === 'invalid_request') throw noSession(threadId);
    throw error;
  }
}

/** All of the session as the record has it, and how the goal stands. */
async function replay(client: Client, session: EditorSession, goal: Goal): Promise<void> {
  const { editor } = session;
  editor.quote(goal.objective);
  await viewOf(client, session, goal).catchUp(goal);
  if (goal.status !== 'active' || isOver(goal)) return await tellStanding(client, editor, goal);
  editor.note('_The goal is at work. /watch follows it; what you say, it takes along._');
}

async function list(
  client: Client,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const folder = cwd == null ? null : await servedAt(client, await realFolder(cwd));
  if (folder === undefined) return { sessions: [] };
  const where = folder === null ? '' : `&workspace=${encodeURIComponent(folder.name)}`;
  const from = cursor == null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const page = await client.get<Page<Goal>>(`/v1/goals?limit=50&sort=updated${where}${from}`);
  const byThread = new Map(page.items.toReversed().map((goal) => [goal.threadId, goal]));
  const sessions = [...byThread.values()].toReversed().map((goal) => ({
    ...{ sessionId: goal.threadId, title: oneLine(goal.objective, 100), updatedAt: goal.updatedAt },
    cwd: cwd ?? goal.workspace.path,
  }));
  return {
    sessions: sessions.filter((one) => one.cwd !== ''),
    ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }),
  };
}
