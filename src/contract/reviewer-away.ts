import type { LimitReached, ProviderTrouble } from './turn-facts.ts';

/** Why the reviewer could not answer. The workflow waits for it; it is never a verdict. */
export interface Away {
  readonly provider: ProviderTrouble;
  /** The goal's fallback model stands in for the goal's own model only. */
  readonly hasFallback: boolean;
}

/** Ends a gate whose reviewer can't be reached now. */
export class ReviewerAway extends Error {
  readonly away: Away;

  constructor(away: Away) {
    super(away.provider.message);
    this.name = 'ReviewerAway';
    this.away = away;
  }
}

/**
 * Ends a gate that the goal's budget can't pay for: a limit was reached; the claim isn't refused.
 */
export class ReviewUnpaid extends Error {
  readonly limit: LimitReached;

  constructor(limit: LimitReached) {
    super(
      `the budget does not pay for the review: ${limit.name}, ${limit.used} of ${limit.allowed}`,
    );
    this.name = 'ReviewUnpaid';
    this.limit = limit;
  }
}
