import { type Command, InvalidArgumentError } from 'commander';
import type { BudgetInput } from '../../schema/budget.ts';

/** `none` takes the limit off. */
type Limit<Value> = Value | 'none';

export interface BudgetOptions {
  readonly budgetTurns?: Limit<number>;
  readonly budgetTokens?: Limit<number>;
  readonly budgetSeconds?: Limit<number>;
  readonly budgetCost?: string;
  readonly deadline?: string;
}

export function withBudgetOptions(command: Command): Command {
  return command
    .option('--budget-turns <n>', 'most turns; "none" takes a limit off', orNone(whole))
    .option('--budget-tokens <n>', 'most tokens, or none', orNone(whole))
    .option('--budget-seconds <n>', 'most seconds of work, or none', orNone(whole))
    .option('--budget-cost <usd>', 'most US dollars, or none')
    .option('--deadline <time>', 'such as 2030-01-31T18:00:00Z, or none');
}

const orNone =
  <Value>(read: (text: string) => Value) =>
  (text: string): Limit<Value> =>
    text === 'none' ? text : read(text);

/** Only what was named: the service fills in or keeps the rest. */
export function budgetOf(options: BudgetOptions): { budget?: BudgetInput } {
  const limits = {
    turns: options.budgetTurns,
    tokens: options.budgetTokens,
    activeSeconds: options.budgetSeconds,
    costUsd: options.budgetCost,
    deadline: options.deadline,
  };
  const named = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  const budget: BudgetInput = Object.fromEntries(
    named.map(([name, limit]) => [name, limit === 'none' ? null : limit]),
  );
  return Object.keys(budget).length === 0 ? {} : { budget };
}

export function whole(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a whole number above 0.');
}

export function integer(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('Give a whole number.');
}
