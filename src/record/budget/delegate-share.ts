import type { Budget, UsageFields } from '../../../schema/budget.ts';
import type { DelegateShare } from '../../../schema/delegate.ts';
import { addUsage, noUsage, WRAP_UP_RESERVE } from '../../goal/budget/budget.ts';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '../../goal/budget/decimal.ts';

/** Less can't pay for a call and the wrap-up behind it. */
const LEAST_TOKENS = 2 * WRAP_UP_RESERVE;
/** Digits of a dollar that a share is cut to. */
const CENTS_OF_CENTS = 6;

/**
 * An equal part of half of what is left, so that the goal itself can always go on; null where that
 * is too little to begin with.
 *
 * @param held usage plus what running delegates have set aside and not used
 * @param count delegates that begin together
 */
export function shareOf(budget: Budget, held: UsageFields, count: number): DelegateShare | null {
  const share = {
    tokens: wholeShare(budget.tokens, held.tokens, count),
    costUsd: costShare(budget.costUsd, held.costUsd, count),
    turns: wholeShare(budget.turns, held.turns, count),
    activeSeconds: wholeShare(budget.activeSeconds, held.activeSeconds, count),
  };
  const isTooSmall =
    (share.tokens !== null && share.tokens < LEAST_TOKENS) ||
    (share.turns !== null && share.turns < 1) ||
    (share.activeSeconds !== null && share.activeSeconds < 1) ||
    (share.costUsd !== null && compareDecimals(share.costUsd, '0') === 0);
  return isTooSmall ? null : share;
}

/** The last few turns are not halved down to nothing: one each, if one is left for the goal. */
function wholeShare(allowed: number | null, held: number, count: number): number | null {
  if (allowed === null) return null;
  const left = Math.floor(allowed - held);
  return Math.max(Math.floor(left / (2 * count)), left > count ? 1 : 0);
}

function costShare(allowed: string | null, held: string, count: number): string | null {
  if (allowed === null) return null;
  const part = (1 / (2 * count)).toFixed(CENTS_OF_CENTS);
  const share = multiplyDecimals(subtractDecimals(allowed, held), part);
  const [whole = '0', fraction = ''] = share.split('.');
  return fraction === '' ? whole : `${whole}.${fraction.slice(0, CENTS_OF_CENTS)}`;
}

/** The unused part of a delegate's share: nobody else may spend it meanwhile. */
export function unusedOf(share: DelegateShare, used: UsageFields): UsageFields {
  const left = (of: number | null, spent: number) => Math.max(0, (of ?? 0) - spent);
  return {
    ...noUsage,
    tokens: left(share.tokens, used.tokens),
    costUsd: subtractDecimals(share.costUsd ?? '0', used.costUsd),
    turns: left(share.turns, used.turns),
    activeSeconds: left(share.activeSeconds, used.activeSeconds),
  };
}

export const addAll = (usages: readonly UsageFields[]): UsageFields =>
  usages.reduce(addUsage, noUsage);
