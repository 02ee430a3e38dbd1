import type { AmendGoal, Goal, Mode } from '../../../schema/goal.ts';
import { layered } from '../../intake/terms/layered.ts';
import { type BudgetOptions, budgetOf } from '../budget-options.ts';
import { criteriaWithFile } from '../criteria-options.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { goalText } from '../goal-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
import { fallbackOf } from '../start-input.ts';

export interface AmendOptions extends CommonOptions, BudgetOptions {
  readonly objective?: string;
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
  readonly criteriaFile?: string;
  /** Whatever an amendment may say. */
  readonly file?: string;
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
  const change = layered(await saidIn(options), await flagsOf(options));
  const goal = await session.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, change);
  print(session, goal, () => goalText(goal, resultLook()));
  return EXIT.complete;
}

/** The service judges it, and names what is wrong by its field. */
async function saidIn({ file }: AmendOptions): Promise<AmendGoal> {
  if (file === undefined) return {};
  const { definitionOfFile } = await import('../../app/repository-file.ts');
  return (await definitionOfFile(file)) as AmendGoal;
}

async function flagsOf(options: AmendOptions): Promise<AmendGoal> {
  const criteria = await criteriaWithFile(options);
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
