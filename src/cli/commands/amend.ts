import type { AmendGoal, Goal, Mode } from '../../../schema/goal.ts';
import { type BudgetOptions, budgetOf } from '../budget-options.ts';
import { criteriaOf } from '../criteria-options.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { goalText } from '../goal-text.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';

export interface AmendOptions extends CommonOptions, BudgetOptions {
  readonly objective?: string;
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly mode?: Mode;
  readonly priority?: number;
  readonly dropThen?: boolean;
}

/** Id and usage stay; raising the limit that was reached lets the goal go on. */
export async function amend(prefix: string, options: AmendOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const goal = await session.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, changeOf(options));
  print(session, goal, () => goalText(goal));
  return EXIT.complete;
}

function changeOf(options: AmendOptions): AmendGoal {
  const criteria = criteriaOf(options);
  return {
    ...budgetOf(options),
    ...(criteria === undefined ? {} : { criteria }),
    ...(options.objective === undefined ? {} : { objective: options.objective }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...fallbackOf(options),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(options.dropThen === true ? { dropThen: true as const } : {}),
  };
}

function fallbackOf({ fallbackModel: named }: AmendOptions): Pick<AmendGoal, 'fallbackModel'> {
  return named === undefined ? {} : { fallbackModel: named === 'none' ? null : named };
}
