import type { Attached } from './attachments.ts';

export interface RequestedCall {
  /** Unique in the goal: `t<turn>.s<step>.<index>`; the provider's own id is in `providerId`. */
  readonly callId: string;
  readonly providerId: string;
  readonly tool: string;
  /** Raw JSON text as the model wrote it. */
  readonly input: string;
  /** A secret was removed before storing: the stored input can't be run. */
  readonly isMasked?: true;
}

export type Author = 'person' | 'agent' | 'host' | 'model' | 'tool';

/** `model` has text and calls, `tool` has callId, tool and text; the others have text. */
export interface MessageContent {
  readonly text: string;
  /** Of a message that came to the goal while or before the turn ran. */
  readonly messageId?: string;
  readonly calls?: readonly RequestedCall[];
  /** Token that the model wrote instead of a call; it is removed from the text. */
  readonly token?: string;
  readonly callId?: string;
  readonly providerId?: string;
  readonly tool?: string;
  readonly isError?: boolean;
  /** The goal as recorded: made anew for each request, and never stored. */
  readonly isBlock?: boolean;
  /** Only the model sees the message; people see the delegate itself. */
  readonly isQuiet?: boolean;
  /** Files that came with it: of people, of the objective, or among a call's result. */
  readonly attachments?: readonly Attached[];
  /** Opaque provider parts that must go back verbatim (reasoning signatures). */
  readonly providerParts?: unknown;
}

export interface StoredMessage {
  readonly seq: number;
  readonly turn: number;
  readonly step: number | null;
  readonly voice: Author;
  readonly content: MessageContent;
}
