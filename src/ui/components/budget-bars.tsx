import type { Goal } from '../api/types.ts';
import { limitsOf } from '../view/limits.ts';
import { Bar, levelClass } from './bar.tsx';

/** Four limits, percent; what was used stands in the title. */
export function BudgetBars({ goal }: { readonly goal: Goal }) {
  return (
    <div className="budget-bars">
      {limitsOf(goal).map(({ name, short, label, used, allowed, percent, level }) => (
        <div
          key={name}
          className={levelClass(level)}
          title={
            allowed === null ? `${label}: ${used}, no limit` : `${label}: ${used} of ${allowed}`
          }
        >
          <span>
            {short}
            <b>{percent === null ? '–' : Math.round(percent)}</b>
          </span>
          {percent === null ? (
            <span className="bar unlimited" />
          ) : (
            <Bar percent={percent} level={level} />
          )}
        </div>
      ))}
    </div>
  );
}
