import type { Away } from '../src/contract/reviewer-away.ts';
import type { ProviderTrouble, TurnFacts } from '../src/contract/turn-facts.ts';
import { nextTry } from '../src/goal/waits/provider-policy.ts';
import { beginWait, commitTransition } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { providerWait, spendWait } from './own-waits.ts';
import type { Session } from './session.ts';

/** A provider that still failed after the short retries of its caller. */
interface ProviderFailure {
  readonly provider: ProviderTrouble;
  /** Id of the failed call; a different id means that there was an answer in between. */
  readonly at: string;
  readonly isWrapUp: boolean;
  /** True when the goal's fallback model may be asked instead. */
  readonly hasFallback: boolean;
}

/** Failure of the turn's own model call; null when the slice ended for another reason. */
export function modelFailure(facts: TurnFacts): ProviderFailure | null {
  const { end, provider, turn, steps, kind } = facts;
  if (end !== 'provider_error' || provider === null) return null;
  return { provider, at: `${turn}.${steps}`, isWrapUp: kind === 'wrap_up', hasFallback: true };
}

/** Failure of a reviewer that the turn's gate asked. */
export function reviewerFailure(
  facts: TurnFacts,
  { provider, hasFallback }: Away,
): ProviderFailure {
  return { provider, at: reviewerCallKey(facts), isWrapUp: facts.kind === 'wrap_up', hasFallback };
}

/** Key of a gate: slices that only lead to the same gate again are no answers. */
export const reviewerCallKey = ({ turn, steps }: TurnFacts): string => `${turn}.${steps}.gate`;

/** A durable wait, or the fallback model; false = the turn settles with its error. */
export async function retryProvider(
  session: Session,
  effects: GoalEffects,
  { provider, at, isWrapUp, hasFallback }: ProviderFailure,
): Promise<boolean> {
  const { state } = session;
  if (state === null) return false;
  // No older history has such a refusal. A goal that is limited ends without its summary.
  if (provider.kind === 'spend_limit') {
    if (isWrapUp) return false;
    await beginWait(session, effects, spendWait(provider));
    return true;
  }
  // Calls in between were answered, so the failure streak is over.
  if (session.failedCall !== null && session.failedCall !== at) session.providerRetries = 0;
  session.failedCall = at;
  const next = nextTry(provider, {
    policy: state.policy,
    retries: session.providerRetries,
    hasFallbackModel: hasFallback && state.hasFallbackModel === true,
    fallback: state.chart.context.fallback ?? null,
    isWrapUp,
    now: Date.now(),
    random: Math.random(),
  });
  switch (next.kind) {
    case 'give_up':
      return false;
    case 'wait':
      session.providerRetries += 1;
      await beginWait(session, effects, providerWait(provider, next.seconds));
      return true;
    case 'fall_back': {
      const { fallback } = next;
      session.providerRetries = 0;
      await commitTransition(session, effects, { type: 'model.fell_back', fallback });
      return true;
    }
  }
}
