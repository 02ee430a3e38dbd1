import { type Command, InvalidArgumentError } from 'commander';
import type { BudgetInput } from '../../schema/budget.ts';

export interface BudgetOptions {
  readonly budgetTurns?: number;
  readonly budgetTokens?: number;
  readonly budgetSeconds?: number;
  readonly budgetCost?: string;
}

export function withBudgetOptions(command: Command): Command {
  return command
    .option('--budget-turns <n>', 'most turns', whole)
    .option('--budget-tokens <n>', 'most tokens', whole)
    .option('--budget-seconds <n>', 'most seconds of work', whole)
    .option('--budget-cost <usd>', 'most US dollars');
}

/** Only what was named: the service fills in or keeps the rest. */
export function budgetOf(options: BudgetOptions): { budget?: BudgetInput } {
  const budget: BudgetInput = {
    ...(options.budgetTurns === undefined ? {} : { turns: options.budgetTurns }),
    ...(options.budgetTokens === undefined ? {} : { tokens: options.budgetTokens }),
    ...(options.budgetSeconds === undefined ? {} : { activeSeconds: options.budgetSeconds }),
    ...(options.budgetCost === undefined ? {} : { costUsd: options.budgetCost }),
  };
  return Object.keys(budget).length === 0 ? {} : { budget };
}

export function whole(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a whole number above 0.');
}
