import type { Goal } from '../api/types.ts';

export interface BudgetForm {
  readonly tokens: string;
  readonly costUsd: string;
  readonly turns: string;
  readonly hours: string;
}

type Budget = Goal['budget'];
type BudgetChange = Partial<Pick<Budget, 'tokens' | 'costUsd' | 'turns' | 'activeSeconds'>>;

const HOUR = 3600;

export const formOf = ({ tokens, costUsd, turns, activeSeconds }: Budget): BudgetForm => ({
  tokens: tokens === null ? '' : String(tokens),
  costUsd: costUsd ?? '',
  turns: turns === null ? '' : String(turns),
  hours: activeSeconds === null ? '' : String(Math.round((activeSeconds / HOUR) * 1000) / 1000),
});

export type BudgetErrors = Partial<Record<keyof BudgetForm, string>>;

/** The form's changes, or its problems; an empty field is no limit. */
export function readForm(
  form: BudgetForm,
  before: Budget,
): { change: BudgetChange; errors: BudgetErrors } {
  const known = formOf(before);
  const errors: BudgetErrors = {};
  const number = (name: keyof BudgetForm, isWhole: boolean): number | null => {
    const text = form[name].replace(/[,\s]/g, '');
    if (text === '') return null;
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0 || (isWhole && !Number.isInteger(value))) {
      errors[name] = isWhole ? 'A whole number above 0' : 'A number above 0';
    }
    return value;
  };
  const tokens = number('tokens', true);
  const cost = number('costUsd', false);
  const turns = number('turns', true);
  const hours = number('hours', false);
  const costText = form.costUsd.replace(/[,\s]/g, '');
  if (cost !== null && !/^\d{1,9}(\.\d{1,12})?$/.test(costText))
    errors.costUsd = 'Dollars, such as 2.50';
  return {
    errors,
    change: {
      ...(form.tokens === known.tokens ? {} : { tokens }),
      ...(form.costUsd === known.costUsd ? {} : { costUsd: cost === null ? null : costText }),
      ...(form.turns === known.turns ? {} : { turns }),
      ...(form.hours === known.hours
        ? {}
        : { activeSeconds: hours === null ? null : Math.round(hours * HOUR) }),
    },
  };
}

export const budgetText = ({ tokens, costUsd, turns, activeSeconds }: Budget): string =>
  [
    tokens === null ? 'any number of tokens' : `${tokens.toLocaleString('en')} tokens`,
    costUsd === null ? 'any cost' : `$${costUsd}`,
    turns === null ? 'any number of turns' : `${turns} turns`,
    activeSeconds === null ? 'any time' : `${formOf({ activeSeconds } as Budget).hours} hours`,
  ].join(', ');

export const isSameBudget = (left: Budget, right: Budget): boolean =>
  budgetText(left) === budgetText(right) && left.deadline === right.deadline;
