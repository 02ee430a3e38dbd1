import type { ModelCall } from '../../schema/model-call.ts';
import type { Conversation } from './compaction-record.ts';
import type { MessageContent } from './conversation.ts';
import type { ToolDeclaration } from './model.ts';

/** The part of a request that many share, kept once. One object stands for one pair of texts. */
export interface SentPrompt {
  /** With a stand-in for the mark of the goal's host, which nobody but its model reads. */
  readonly system: string;
  readonly tools: readonly ToolDeclaration[];
}

/** What a model call is asked, by reference to what the record has already. */
export interface AskedRequest {
  readonly prompt: SentPrompt;
  /** Seq of the newest message of the conversation that it shows; null = it shows none. */
  readonly through: number | null;
  /** Number of the compaction by which it shows them; null = they are shown whole. */
  readonly compaction: number | null;
  /** The host's words carry its mark: others speak in the request too. */
  readonly isMarked: boolean;
  /** The host's words for this request alone, behind the conversation. */
  readonly own: readonly MessageContent[];
}

/** As the journal keeps it. */
export interface StoredRequest extends Omit<AskedRequest, 'prompt'> {
  /** SHA-256 of the prompt, hexadecimal. */
  readonly prompt: string;
}

/** A request with all that it refers to. */
export interface KeptRequest extends Omit<AskedRequest, 'prompt' | 'compaction'>, SentPrompt {
  /** As it was then; empty where the request shows none of it. */
  readonly conversation: Conversation;
}

/** A model call of a turn, from the record. */
export interface KeptModelCall {
  readonly call: ModelCall;
  readonly request: KeptRequest | null;
  /** Null while it runs, after a failure, and for a review. */
  readonly answer: MessageContent | null;
}
