/** How the wait that a model asked for ended. */
export type WaitEnd = 'fired' | 'met' | 'timed_out' | 'refused';

/** A wake that the model asked for, as the record has it. */
export interface StoredWakeRequest {
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly state: 'waiting' | 'refused' | 'overtaken' | WaitEnd;
  readonly seconds: number | null;
  readonly until: string | null;
  readonly looks: number;
  readonly seen: string;
  readonly createdAt: string;
  readonly endedAt: string | null;
}
