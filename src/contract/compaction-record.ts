import type { StoredMessage } from './conversation.ts';

/** A person's message in the replaced part, and how much of it is still shown. */
export interface KeptWords {
  readonly seq: number;
  /** Characters; the middle of a longer text is left out. */
  readonly shown: number;
}

/**
 * The part of the conversation that requests leave out from here on. Each compaction states all of
 * it, so the newest one and the messages determine the next request.
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
  /** The notes' author: the model, or the host from the calls where no summary could be had. */
  readonly notesBy: 'model' | 'host' | null;
  readonly words: readonly KeptWords[];
  /**
   * Learned limits: most tokens of a request, by model, after its provider refused a longer one.
   */
  readonly limits: Readonly<Record<string, number>>;
}

/**
 * `window`: the model's window is nearly full; `overflow`: the provider found a request too long;
 * `continued`: the goal before in its thread left more than a beginning should carry.
 */
export type CompactionReason = 'window' | 'overflow' | 'continued';

/** The whole input for what a request shows of the past. */
export interface Conversation {
  readonly compaction: Compaction | null;
  /** All messages of people, and every message behind the replaced part, oldest first. */
  readonly messages: readonly StoredMessage[];
}
