/** What a running command printed last. Nowhere stored: the whole output is in the ledger. */
export interface OutputPiece {
  readonly goalId: string;
  readonly turn: number;
  readonly callId: string;
  readonly text: string;
}

export interface LiveOutput {
  /** Returns at once; more than can be told is left out, the oldest first. */
  tell(piece: OutputPiece): void;
  close(): Promise<void>;
}

/** One model call, and what it says from a place in its answer on. Nowhere stored. */
export interface TextPiece {
  readonly goalId: string;
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
  /** Characters of the answer before this text; those that nobody was told are missed. */
  readonly start: number;
  /** Empty: it runs, and says nothing new. */
  readonly text: string;
  readonly isEnd?: boolean;
}

export type SayingCall = Pick<TextPiece, 'goalId' | 'turn' | 'step' | 'attempt'>;

/** One answer, from its first word to its end. Both return at once and never fail. */
export interface Saying {
  say(text: string): void;
  end(): void;
}

export interface LiveText {
  begin(call: SayingCall): Saying;
  /** Goals that somebody watches; those that begin anew get their running answer from its start. */
  watched(goals: readonly WatchedGoal[]): void;
  close(): Promise<void>;
}

export interface WatchedGoal {
  readonly goalId: string;
  readonly isNew: boolean;
}

export interface WatchWakeup {
  /** @returns to call when the watcher leaves */
  watch(goalId: string): () => void;
  close(): void;
}
