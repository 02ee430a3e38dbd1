import type { Goal } from '../api/types.ts';
import { compact, dollars, duration } from './format.ts';

export type LimitName = 'tokens' | 'costUsd' | 'turns' | 'activeSeconds';
export type LimitLevel = 'calm' | 'near' | 'reached';

export interface Limit {
  readonly name: LimitName;
  readonly short: string;
  readonly label: string;
  readonly used: string;
  /** null = no limit of that kind. */
  readonly allowed: string | null;
  readonly percent: number | null;
  readonly level: LimitLevel;
}

const NEAR_PERCENT = 80;

const kinds = [
  { name: 'tokens', short: 'tok', label: 'Tokens', text: compact },
  { name: 'costUsd', short: 'USD', label: 'Cost', text: dollars },
  { name: 'turns', short: 'turn', label: 'Turns', text: String },
  { name: 'activeSeconds', short: 'time', label: 'Time', text: duration },
] as const;

export function limitsOf({ usage, budget }: Pick<Goal, 'usage' | 'budget'>): Limit[] {
  return kinds.map(({ name, short, label, text }) => {
    const used = Number(usage[name]);
    const allowed = budget[name] === null ? null : Number(budget[name]);
    const percent = allowed === null ? null : (used / allowed) * 100;
    return {
      name,
      short,
      label,
      used: text(used),
      allowed: allowed === null ? null : text(allowed),
      percent,
      level: levelOf(percent),
    };
  });
}

function levelOf(percent: number | null): LimitLevel {
  if (percent === null || percent < NEAR_PERCENT) return 'calm';
  return percent < 100 ? 'near' : 'reached';
}

/** The limit that is nearest to its end. */
export function nearestLimit(goal: Pick<Goal, 'usage' | 'budget'>): Limit | null {
  const bounded = limitsOf(goal).filter(({ percent }) => percent !== null);
  return bounded.sort((left, right) => (right.percent ?? 0) - (left.percent ?? 0))[0] ?? null;
}
