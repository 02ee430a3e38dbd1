import type {
  AgentContext,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';

/** One session as the editor shows it. */
export interface Editor {
  tell(update: SessionUpdate): void;
  /** A piece of the present message. */
  say(text: string): void;
  /** The next piece begins another message. */
  endMessage(): void;
  /** A message by itself. */
  note(text: string): void;
  /** What a person said, here before or somewhere else. */
  quote(text: string): void;
  ask(
    asked: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
}

export function editorOf(client: AgentContext, sessionId: string): Editor {
  let number = 0;
  let hasSpoken = false;
  const tell = (update: SessionUpdate) =>
    // An editor that has left is told nothing.
    void client.notify('session/update', { sessionId, update }).catch(() => {});
  const content = (text: string) => ({
    content: { type: 'text', text } as const,
    messageId: `${sessionId}.${number}`,
  });
  const editor: Editor = {
    tell,
    say(text) {
      if (text === '') return;
      hasSpoken = true;
      tell({ sessionUpdate: 'agent_message_chunk', ...content(text) });
    },
    endMessage() {
      // Editors that know no ids of messages put all pieces into one.
      if (hasSpoken) editor.say('\n\n');
      hasSpoken = false;
      number += 1;
    },
    note(text) {
      editor.endMessage();
      editor.say(text);
      editor.endMessage();
    },
    quote(text) {
      editor.endMessage();
      tell({ sessionUpdate: 'user_message_chunk', ...content(text) });
      number += 1;
    },
    ask: (asked, signal) =>
      client.request(
        'session/request_permission',
        { sessionId, ...asked },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      ),
  };
  return editor;
}
