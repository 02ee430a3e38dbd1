import type { SpendLimit } from '../api/types.ts';
import { compact, dollars } from './format.ts';

/** `workspace shop, a day`. */
export const limitName = ({ of, name, per }: SpendLimit): string =>
  `${name === null ? 'Whole service' : `${of} ${name}`}, a ${per}`;

/** `$3.20 of $20.00, $1.10 held`: what is spent, and what calls under way may still take. */
export function limitAmounts(limit: SpendLimit): string {
  const { costUsd, heldUsd, mostUsd, tokens, heldTokens, mostTokens } = limit;
  const money =
    mostUsd === null ? [] : [`${dollars(costUsd)} of ${dollars(mostUsd)}${held(heldUsd, dollars)}`];
  const counted =
    mostTokens === null
      ? []
      : [`${compact(tokens)} of ${compact(mostTokens)} tokens${held(heldTokens, compact)}`];
  return [...money, ...counted].join(' · ');
}

const held = <Amount extends number | string>(amount: Amount, text: (of: Amount) => string) =>
  Number(amount) === 0 ? '' : `, ${text(amount)} held`;

/** From 90 % on it is near; what waits for it stands still from 100 % on, and often before. */
export const limitState = ({ fill }: SpendLimit): 'reached' | 'near' | '' =>
  fill >= 1 ? 'reached' : fill >= 0.9 ? 'near' : '';
