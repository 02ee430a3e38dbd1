import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientConnection,
  client,
  type LoadSessionResponse,
  type McpServer,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionModeState,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk';
import { productVersion } from '../version.ts';
import { AgentFault } from './agent-fault.ts';
import { type AgentHost, answerHostRequests, HOST_CAPABILITIES } from './host-requests.ts';

export interface TalkOrder {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  /** Of an earlier turn. */
  readonly sessionId: string | null;
  /** Of the modes that it offers; null = the one it begins with. */
  readonly mode: string | null;
  /** Of its ways to sign in, which no person is needed for; null = none. */
  readonly signIn: string | null;
  /** Words of the turn. @param isGoneOn the agent remembers the turns before */
  readonly promptFor: (isGoneOn: boolean) => string;
  readonly onSession: (sessionId: string) => Promise<void>;
  readonly onUpdate: (update: SessionUpdate) => void;
  readonly onPermission: (asked: RequestPermissionRequest) => Promise<RequestPermissionResponse>;
  /** Does what the agent asks of its client. */
  readonly host: AgentHost;
  /** Asks the agent to stop; it gets a moment to do so. */
  readonly stop: AbortSignal;
}

/** What an agent may take until it can be asked. */
const START_MS = 60_000;
const CANCEL_MS = 5000;
const MOST_UPDATES = 200_000;
const MOST_QUESTIONS = 200;
const MOST_OF_ID = 1000;
/** JSON-RPC's number for an agent that nobody has signed in to. */
const AUTH_REQUIRED = -32_000;

/**
 * One prompt of an agent, from its handshake to its end.
 * @throws AgentFault
 */
export async function talkTo(stream: Stream, order: TalkOrder): Promise<PromptResponse> {
  let isListening = false;
  let [updates, questions] = [0, 0];
  let fault: AgentFault | null = null;
  const app = client({ name: 'goalkeeper' })
    .onNotification('session/update', ({ params }) => {
      updates += 1;
      if (updates > MOST_UPDATES) flood(`it sent more than ${MOST_UPDATES} updates in one turn`);
      // What a loaded session repeats was told before.
      else if (isListening) order.onUpdate(params.update);
    })
    .onRequest('session/request_permission', ({ params }) => {
      questions += 1;
      if (questions <= MOST_QUESTIONS) return order.onPermission(params);
      flood(`it asked for permission more than ${MOST_QUESTIONS} times in one turn`);
      return { outcome: { outcome: 'cancelled' as const } };
    });
  const connection = answerHostRequests(app, order.host).connect(stream);
  const flood = (why: string) => {
    fault ??= new AgentFault('flooded', why);
    connection.close();
  };
  try {
    const sessionId = await opened(connection, order);
    isListening = true;
    const prompt = [{ type: 'text' as const, text: order.promptFor(sessionId.isGoneOn) }];
    return await prompted(connection, sessionId.id, prompt, order.stop);
  } catch (error) {
    throw fault ?? faultOf(error, isListening);
  } finally {
    connection.close();
  }
}

async function opened(
  { agent }: ClientConnection,
  { cwd, mcpServers, sessionId, mode, signIn, onSession, stop }: TalkOrder,
): Promise<{ readonly id: string; readonly isGoneOn: boolean }> {
  const hello = await inTime(
    stop,
    agent.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: HOST_CAPABILITIES,
      clientInfo: { name: 'goalkeeper', version: productVersion() },
    }),
  );
  if (hello.protocolVersion !== PROTOCOL_VERSION) {
    const why = `it speaks version ${hello.protocolVersion} of the Agent Client Protocol, and this service version ${PROTOCOL_VERSION}`;
    throw new AgentFault('other_protocol', why);
  }
  const ground = { cwd, mcpServers: [...mcpServers] };
  const signedIn = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await inTime(stop, ask());
    } catch (error) {
      if (codeOf(error) !== AUTH_REQUIRED) throw error;
      if (signIn === null) throw needsLogin(error, hello.authMethods ?? []);
      await inTime(stop, agent.request('authenticate', { methodId: signIn }));
      return await inTime(stop, ask());
    }
  };
  if (sessionId !== null && hello.agentCapabilities?.loadSession === true) {
    const loaded = await signedIn(() =>
      agent.request<LoadSessionResponse | null>('session/load', { sessionId, ...ground }),
    ).then(
      (answer) => ({ modes: answer?.modes }),
      (error: unknown) => {
        if (error instanceof AgentFault) throw error;
        return null;
      },
    );
    if (loaded !== null) {
      await inTime(stop, enter(agent, sessionId, mode, loaded.modes));
      return { id: sessionId, isGoneOn: true };
    }
  }
  const { sessionId: id, modes } = await signedIn(() =>
    agent.request<NewSessionResponse>('session/new', ground),
  );
  if (id.length > MOST_OF_ID) throw new AgentFault('refused', 'the id of its session is too long');
  await inTime(stop, enter(agent, id, mode, modes));
  await onSession(id);
  return { id, isGoneOn: false };
}

/** @throws AgentFault where the agent offers no such mode */
async function enter(
  agent: ClientConnection['agent'],
  sessionId: string,
  mode: string | null,
  modes: SessionModeState | null | undefined,
): Promise<void> {
  if (mode === null || modes?.currentModeId === mode) return;
  const offered = (modes?.availableModes ?? []).map(({ id }) => id);
  if (!offered.includes(mode)) {
    const those = offered.length === 0 ? 'none' : offered.join(', ').slice(0, 300);
    const why = `it offers no mode "${mode}" ("mode" in its settings); those that it offers: ${those}`;
    throw new AgentFault('refused', why);
  }
  await agent.request('session/set_mode', { sessionId, modeId: mode });
}

/** @throws AgentFault where the agent is silent, or nobody waits any more */
async function inTime<Answer>(stop: AbortSignal, answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => {});
  const over = new AbortController();
  const late = sleep(START_MS, undefined, { signal: AbortSignal.any([over.signal, stop]) }).then(
    () => 'it did not answer within 60 s of its start',
    () => 'it was stopped as it started',
  );
  const why = late.then(
    (text): Promise<never> => Promise.reject(new AgentFault('not_started', text)),
  );
  why.catch(() => {});
  return await Promise.race([answer, why]).finally(() => over.abort());
}

async function prompted(
  { agent }: ClientConnection,
  sessionId: string,
  prompt: { type: 'text'; text: string }[],
  stop: AbortSignal,
): Promise<PromptResponse> {
  const answer = agent.request<PromptResponse>('session/prompt', { sessionId, prompt });
  answer.catch(() => {});
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const late = stopped.then(async (): Promise<PromptResponse> => {
    await agent.notify('session/cancel', { sessionId }).catch(() => {});
    await sleep(CANCEL_MS, undefined, { ref: false });
    return { stopReason: 'cancelled' };
  });
  late.catch(() => {});
  return await Promise.race([answer, late]);
}

function faultOf(error: unknown, hasBegun: boolean): AgentFault {
  if (error instanceof AgentFault) return error;
  if (codeOf(error) === AUTH_REQUIRED) return needsLogin(error, []);
  if (typeof codeOf(error) === 'number')
    return new AgentFault('refused', `it answered with an error: ${wordsOf(error)}`);
  return hasBegun
    ? new AgentFault('died', 'it ended before its turn did')
    : new AgentFault('not_started', 'it ended before it could be asked');
}

function needsLogin(error: unknown, ways: readonly { readonly id: string }[]): AgentFault {
  const ids = ways.map(({ id }) => id).join(', ');
  const how = ids === '' ? '' : ` ("signIn" in its settings may name one of its ways: ${ids})`;
  const why = `it wants somebody to sign in: ${wordsOf(error)}${how}`;
  return new AgentFault('needs_login', why.slice(0, 800));
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

const wordsOf = (error: unknown): string =>
  String((error as { readonly message?: unknown }).message ?? error).slice(0, 300);
