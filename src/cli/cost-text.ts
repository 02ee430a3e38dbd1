import type { Spend, SpendBy } from '../../schema/operations.ts';
import type { SpendStanding } from '../../schema/spend.ts';
import { table } from './terminal.ts';

/** Sums by key, the whole last, and how full each limit is. */
export function costText(spend: Spend, limits: readonly SpendStanding[]): string {
  const { by, items, costUsd, from, to } = spend;
  const rows = items.map((one) => [
    keyText(one.key, by),
    `$${one.costUsd}`,
    Number(one.estimatedUsd) === 0 ? '' : `$${one.estimatedUsd} estimated`,
    `${one.calls} calls`,
    `${one.tokens} tokens`,
  ]);
  const head = `$${costUsd} from ${from} to ${to}`;
  const full = limits.map(limitText);
  return [head, table(rows), ...(full.length === 0 ? [] : ['', ...full])]
    .filter((line, index) => line !== '' || index > 1)
    .join('\n');
}

const keyText = (key: string, by: SpendBy): string =>
  by === 'day' ? key.slice(0, 10) : by === 'hour' ? key.slice(0, 16) : key;

/** `limit of workspace shop per day: $3.2 of $20 (16 %), $1.1 held, until …`. */
export function limitText(limit: SpendStanding): string {
  const { of, name, per, mostUsd, mostTokens, costUsd, heldUsd, tokens, heldTokens, to } = limit;
  const whose = name === null ? 'the service' : `${of} ${name}`;
  const parts = [
    ...(mostUsd === null ? [] : [`$${costUsd} of $${mostUsd}${held(heldUsd, '$')}`]),
    ...(mostTokens === null
      ? []
      : [`${tokens} of ${mostTokens} tokens${held(String(heldTokens), '')}`]),
  ];
  const part = Math.floor(limit.fill * 100);
  return `limit of ${whose} per ${per}: ${parts.join(', ')} (${part} %), anew at ${to}`;
}

const held = (amount: string, unit: string): string =>
  Number(amount) === 0 ? '' : ` and ${unit}${amount} held`;
