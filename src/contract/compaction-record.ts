import type { StoredMessage } from './conversation.ts';

/** A person's words that would no longer be shown, and how much of them is. */
export interface KeptWords {
  readonly seq: number;
  /** Characters; the middle of a longer text is left out. */
  readonly shown: number;
}

/**
 * What requests leave out of the conversation from here on. Each compaction states all of it, so
 * the newest one and the messages say what the next request contains.
 */
export interface Compaction {
  /** From 1. */
  readonly number: number;
  /** Results and arguments of calls are shown shortened up to this message. */
  readonly shortenedThrough: number;
  /** How much of each is shown, characters. */
  readonly shown: number;
  /** Messages up to this one are replaced by `notes` and `words`; 0 = none. */
  readonly replacedThrough: number;
  readonly notes: string | null;
  /** Who wrote the notes: the model, or the host from the calls where no summary could be had. */
  readonly notesBy: 'model' | 'host' | null;
  readonly words: readonly KeptWords[];
  /** Most tokens of a request, by model, where its provider found longer ones too long. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Nearly full, or found too long by the provider. */
export type CompactionReason = 'window' | 'overflow';

/** What a request shows of the past comes from these two alone. */
export interface Conversation {
  readonly compaction: Compaction | null;
  /** People's messages, and all that stand behind what was replaced, oldest first. */
  readonly messages: readonly StoredMessage[];
}
