import type { Goal } from '../../../schema/goal.ts';
import type { Call } from '../../../schema/turn.ts';

/** What became of a turn. */
export interface TurnEnd {
  readonly deed: string;
  readonly action: string;
  readonly sentence: string;
  readonly missing: readonly string[];
  /** Of this turn alone; null = nothing is known of it. */
  readonly costUsd: number | null;
  readonly seconds: number | null;
}

interface Place {
  readonly at: string;
  readonly turn: number | null;
}

export type Tone = 'none' | 'dim' | 'you' | 'failed' | 'stale';

/** A call that ended; without its record only what the event says is known. */
export interface EndedCall {
  readonly tool: string;
  readonly outcome: string;
  readonly exitCode: number | null;
  readonly call: Call | null;
  /** Lines that an edit adds and takes away. */
  readonly change: { readonly added: number; readonly removed: number } | null;
  readonly isBeyondScope: boolean;
  /** Why it failed, in lines; none where it did not. */
  readonly why: readonly string[];
}

/** One piece of the story of a goal, in order of time. */
export type Told =
  | (Place & { readonly kind: 'goal'; readonly goal: Goal; readonly before: number })
  | (Place & { readonly kind: 'turn'; readonly why: string; readonly end: TurnEnd | null })
  | (Place & {
      readonly kind: 'say';
      /** Whole lines. */
      readonly lines: readonly string[];
      /** Lines of the same answer that were told before. */
      readonly before: number;
      readonly isWhole: boolean;
    })
  | (Place & { readonly kind: 'begun'; readonly call: Call; readonly seconds: number })
  | (Place & { readonly kind: 'call' } & EndedCall)
  | (Place & { readonly kind: 'settled'; readonly end: TurnEnd })
  | (Place & {
      readonly kind: 'note';
      /** What it is of: the first word of the event's name. */
      readonly what: string;
      readonly text: string;
      readonly tone: Tone;
    });
