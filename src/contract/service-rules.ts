import type { Budget } from '../../schema/budget.ts';
import type { Policy } from '../../schema/policy.ts';
import type { SpendLimit } from './spend.ts';

export interface Bound {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export interface Thresholds {
  readonly continueAt?: number | undefined;
  readonly warnAt?: number | undefined;
}

/** Days for which goals that are over are kept; null = for good. */
export interface GoalRetention {
  readonly complete: number | null;
  readonly cleared: number | null;
  /** The folder that gets their archives. */
  readonly archive: string;
}

/** What holds for all goals of a service; an operator changes it in the service's file. */
export interface ServiceRules {
  /** For goals that name no limit of that kind. */
  readonly budget: Budget;
  /** Highest budget that a goal may ask for; null = no bound of that kind. */
  readonly budgetMaximum: Omit<Budget, 'deadline'>;
  /** What goals may spend together in a day, week or month. */
  readonly spend: readonly SpendLimit[];
  readonly policy: Policy;
  /** Of the numbers of a policy, by name. */
  readonly bounds: Readonly<Record<string, Bound | undefined>>;
  /** By model, where `*` stands for any characters; the first one counts. */
  readonly thresholds: Readonly<Record<string, Thresholds>>;
  /** Beside the built-in ones. */
  readonly phrases: { readonly intent: readonly string[]; readonly completion: readonly string[] };
  /** Days for which rows are kept that prove nothing; null = for good. */
  readonly retention: {
    readonly deliveries: number | null;
    readonly events: number | null;
    readonly goals: GoalRetention | null;
  };
  /** Names of tools, and `textTokens`, that no goal is offered. */
  readonly withheld: readonly string[];
}
