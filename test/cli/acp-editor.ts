import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { compiled } from '../support/compiled.ts';
import { waitUntil } from '../workflows/helpers.ts';

type Answer = (
  asked: RequestPermissionRequest,
  signal: AbortSignal,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

export const picks = (optionId: string): RequestPermissionResponse => ({
  outcome: { outcome: 'selected', optionId },
});

/** An editor that has started `goalkeeper acp`, and what it was told. */
export interface TestEditor {
  readonly agent: ClientConnection['agent'];
  readonly hello: InitializeResponse;
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  answer: Answer;
  /** @returns the id of the session */
  open(cwd: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** All that was said to its person, in one. */
  words(): string;
  of<Kind extends SessionUpdate['sessionUpdate']>(
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[];
  until(holds: () => boolean): Promise<unknown>;
  kill(): Promise<void>;
}

export async function startEditor(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<TestEditor> {
  const child: ChildProcess = spawn(
    process.execPath,
    [compiled('src/cli/main.ts'), 'acp', ...args],
    {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', GOALKEEPER_HOME: '/nonexistent', ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [updates, asked]: [SessionUpdate[], RequestPermissionRequest[]] = [[], []];
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin as Writable) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
  );
  const { agent } = client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', ({ params, signal }) => {
      asked.push(params);
      return editor.answer(params, signal);
    })
    .connect(stream);
  const greeting = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} };
  const hello = await agent.request<InitializeResponse>('initialize', greeting);
  const editor: TestEditor = {
    ...{ agent, hello, updates, asked },
    answer: () => picks('approve'),
    open: async (cwd) => (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId,
    async prompt(sessionId, text) {
      const prompt = [{ type: 'text' as const, text }];
      const asked = { sessionId, prompt };
      return (await agent.request<PromptResponse>('session/prompt', asked)).stopReason;
    },
    words: () =>
      editor
        .of('agent_message_chunk')
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join(''),
    of: ((kind: string) =>
      updates.filter(({ sessionUpdate }) => sessionUpdate === kind)) as TestEditor['of'],
    until: (holds) => waitUntil(holds),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
  return editor;
}
