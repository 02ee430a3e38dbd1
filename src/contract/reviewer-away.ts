import type { LimitReached, ProviderTrouble } from './turn-facts.ts';

/** Why nobody could judge: for the workflow to wait through, and never a verdict. */
export interface Away {
  readonly provider: ProviderTrouble;
  /** The goal's fallback model stands in for the goal's own model only. */
  readonly hasFallback: boolean;
}

/** Ends a gate that can't come to its end now. */
export class ReviewerAway extends Error {
  readonly away: Away;

  constructor(away: Away) {
    super(away.provider.message);
    this.name = 'ReviewerAway';
    this.away = away;
  }
}

/** Ends a gate that the goal's budget can't pay for: a limit is reached, and no claim refused. */
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
