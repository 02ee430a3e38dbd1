import type { LimitLevel } from '../view/limits.ts';

const classes: Readonly<Record<LimitLevel, string>> = {
  calm: '',
  near: 'near',
  reached: 'reached',
};

export const levelClass = (level: LimitLevel): string => classes[level];

/** Grey below 80 percent, orange from 80, red from 100. */
export function Bar({ percent, level }: { readonly percent: number; readonly level: LimitLevel }) {
  return (
    <span className={`bar ${levelClass(level)}`}>
      <i style={{ width: `${Math.min(100, percent).toFixed(1)}%` }} />
    </span>
  );
}
