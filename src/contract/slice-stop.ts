import type { LimitReached, ProviderTrouble, SliceEnd, WakeRequest } from './turn-facts.ts';

/** Why the slice comes back, with what the rules need to know of it. */
export interface SliceStop {
  readonly end: SliceEnd;
  readonly detail?: string | undefined;
  readonly limit?: LimitReached | undefined;
  readonly provider?: ProviderTrouble | undefined;
  readonly openCall?: string | undefined;
  /** Why the open call waits for a person. */
  readonly rule?: string | undefined;
  /** What the asker of a question wants if nobody answers. */
  readonly question?: {
    readonly hasDefault: boolean;
    readonly timeoutSeconds?: number | undefined;
  };
  readonly election?: WakeRequest | undefined;
  /** The check that a claim names as its proof. */
  readonly citedCommand?: string | undefined;
}
