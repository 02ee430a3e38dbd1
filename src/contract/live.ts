/** What a running command newly printed. */
export interface NewOutput {
  readonly goalId: string;
  readonly turn: number;
  readonly callId: string;
  readonly text: string;
}

/** The newest output of a running command. It is never stored; the ledger has the whole output. */
export interface OutputPiece extends NewOutput {
  /** When this run of the call was first heard, in milliseconds: a repeated call begins anew. */
  readonly began: number;
  /** Characters that were heard of this run before the text; a gap means that some were left out. */
  readonly start: number;
}

export interface LiveOutput {
  /** Returns at once; beyond the rate limit, the oldest lines are left out. */
  tell(output: NewOutput): void;
  /** A newly watched goal gets the end of what its running commands printed. */
  watched(goals: readonly WatchedGoal[]): void;
  close(): Promise<void>;
}

/** A piece of a running model call's answer, never stored. */
export interface TextPiece {
  readonly goalId: string;
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
  /** Characters of the answer before this text; a gap means that pieces were lost. */
  readonly start: number;
  /** Empty when the call runs and has no new text. */
  readonly text: string;
  readonly isEnd?: boolean;
}

export type SayingCall = Pick<TextPiece, 'goalId' | 'turn' | 'step' | 'attempt'>;

/** Publishes one answer while it is generated. Both methods return at once and never fail. */
export interface Saying {
  say(text: string): void;
  end(): void;
}

export interface LiveText {
  begin(call: SayingCall): Saying;
  /** Sets the watched goals; a newly watched goal gets its running answer from the start. */
  watched(goals: readonly WatchedGoal[]): void;
  close(): Promise<void>;
}

export interface WatchedGoal {
  readonly goalId: string;
  readonly isNew: boolean;
}

export interface WatchNotifier {
  /** @returns to call when the watcher leaves */
  watch(goalId: string): () => void;
  close(): void;
}
