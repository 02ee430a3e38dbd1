import type { ProviderTrouble } from '../../goal/facts.ts';

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
