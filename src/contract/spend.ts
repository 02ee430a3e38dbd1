import type { SpendPeriod, SpendScope } from '../../schema/spend.ts';

/** What all goals of a scope may spend together in a period, as the operator's file says. */
export interface SpendLimit {
  readonly of: SpendScope;
  /** The workspace or principal; null = the whole service, or each that no other limit names. */
  readonly name: string | null;
  readonly per: SpendPeriod;
  readonly timeZone: string;
  /** Exact decimal; null = no limit of that kind. */
  readonly costUsd: string | null;
  readonly tokens: number | null;
}

/** What was spent, and may still be by calls under way, in one period of one subject. */
export interface SpendSums {
  readonly costUsd: string;
  readonly tokens: number;
  readonly heldUsd: string;
  readonly heldTokens: number;
}

/** A limit as it applies to somebody, in the period that runs. */
export interface StandingLimit extends SpendSums {
  readonly limit: SpendLimit;
  /** The workspace or principal; null = the whole service. */
  readonly subject: string | null;
  /** ISO times: when the period began, and when the next one does. */
  readonly from: string;
  readonly to: string;
}

/** A limit that leaves too little for a call. */
export interface SpendReached {
  readonly standing: StandingLimit;
  readonly measure: 'costUsd' | 'tokens';
  /** What the call may take at most, in the measure. */
  readonly needs: string;
  /** Only calls under way stand in its way: they may take less than they hold. */
  readonly isHeldAlone: boolean;
}

/** A call was not sent: it might take more than a limit of the service leaves. */
export class SpendRefused extends Error {
  /** Until the period begins anew, or a try is worth while; null = waiting doesn't help. */
  readonly retryAfterSeconds: number | null;

  constructor(why: string, retryAfterSeconds: number | null) {
    super(why);
    this.name = 'SpendRefused';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
