import type { SpendLimit, SpendReached, StandingLimit } from '../../contract/spend.ts';
import type { LimitFill } from '../../contract/standing.ts';
import {
  addDecimals,
  compareDecimals,
  divideToWhole,
  multiplyDecimals,
} from '../../goal/budget/decimal.ts';

/** What a call may take at most. */
export interface SpendNeed {
  readonly costUsd: string;
  readonly tokens: number;
}

/** Names that a limit for each leaves to the limits which name them. */
export const namedBeside = (limits: readonly SpendLimit[], { of, name, per }: SpendLimit) =>
  name !== null
    ? []
    : limits.flatMap((other) =>
        other.of === of && other.per === per && other.name !== null ? [other.name] : [],
      );

/**
 * The first limit that leaves too little for a call whose need is held already. Where nothing is
 * known of the need, as of an agent's, a limit that is not used up is enough.
 */
export function reachedLimit(
  standings: readonly StandingLimit[],
  need: SpendNeed,
): SpendReached | null {
  for (const standing of standings) {
    const { limit, costUsd, heldUsd, tokens, heldTokens } = standing;
    const money = tooMuch(limit.costUsd, costUsd, heldUsd, need.costUsd);
    if (money !== null)
      return { standing, measure: 'costUsd', needs: need.costUsd, isHeldAlone: money === 'held' };
    const most = limit.tokens === null ? null : String(limit.tokens);
    const count = tooMuch(most, String(tokens), String(heldTokens), String(need.tokens));
    if (count !== null)
      return {
        ...{ standing, measure: 'tokens', needs: String(need.tokens) },
        isHeldAlone: count === 'held',
      };
  }
  return null;
}

function tooMuch(
  most: string | null,
  spent: string,
  held: string,
  need: string,
): 'spent' | 'held' | null {
  if (most === null) return null;
  const isUsedUp = compareDecimals(spent, most) >= 0;
  if (isUsedUp || compareDecimals(addDecimals(spent, need), most) > 0) return 'spent';
  return compareDecimals(addDecimals(spent, held), most) > 0 ? 'held' : null;
}

/** The part that is spent of the fuller measure; 1 = nothing is left. */
export function fillOf({ limit, costUsd, tokens }: StandingLimit): number {
  const money = limit.costUsd === null ? 0 : ratio(costUsd, limit.costUsd);
  return Math.max(money, limit.tokens === null ? 0 : tokens / limit.tokens);
}

const ratio = (part: string, whole: string): number =>
  Number(divideToWhole(multiplyDecimals(part, '1000000'), whole)) / 1_000_000;

/** One for each limit of the settings, however many it is about. */
export function limitFills(standings: readonly StandingLimit[]): LimitFill[] {
  const fullest = new Map<SpendLimit, number>();
  for (const standing of standings) {
    const { limit } = standing;
    fullest.set(limit, Math.max(fullest.get(limit) ?? 0, fillOf(standing)));
  }
  return [...fullest].map(([{ of, name, per }, fill]) => ({ of, name: name ?? '', per, fill }));
}

/** `workspace shop`, as people read it. */
export const subjectWords = ({ limit, subject }: Pick<StandingLimit, 'limit' | 'subject'>) =>
  subject === null ? 'the service' : `${limit.of} ${subject}`;

export function reachedWords({ standing, measure, needs, isHeldAlone }: SpendReached): string {
  const { limit, to } = standing;
  const [spent, most, unit] =
    measure === 'costUsd'
      ? [standing.costUsd, limit.costUsd, 'USD']
      : [String(standing.tokens), String(limit.tokens), 'tokens'];
  const held = measure === 'costUsd' ? standing.heldUsd : String(standing.heldTokens);
  const why = isHeldAlone
    ? `calls under way hold what is left (${held})`
    : `the next call may take ${needs}`;
  return (
    `the limit of ${subjectWords(standing)} per ${limit.per} leaves too little: ${spent} of ` +
    `${most} ${unit} spent, ${why}; the period begins anew at ${to}`
  );
}

/** No price is known, so a limit in dollars can't be kept. */
export const unpricedWords = (standing: StandingLimit, model: string): string =>
  `${model} has no known price here, so the spend limit of ${subjectWords(standing)} per ` +
  `${standing.limit.per} can't be kept.`;
