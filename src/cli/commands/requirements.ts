import type { AmendGoal, Goal } from '../../../schema/goal.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { requirementLines } from '../requirement-text.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';

export interface RequirementOptions extends CommonOptions {
  readonly add?: readonly string[];
  readonly text?: readonly string[];
  readonly bind?: readonly string[];
  readonly remove?: readonly string[];
}

/** Shows what the objective asks for, and who checks each piece; with options, changes it. */
export async function requirements(prefix: string, options: RequirementOptions): Promise<ExitCode> {
  const session = openSession(options);
  const found = await findGoal(session, prefix);
  const change = changeOf(found, options);
  const goal =
    change === null
      ? found
      : await session.client.send<Goal>('PATCH', `/v1/goals/${found.goalId}`, change);
  const shown = goal.requirements ?? [];
  const nothing = 'the objective was not split yet: --add TEXT does';
  print(session, { items: shown }, () => requirementLines(shown).join('\n') || nothing);
  return EXIT.complete;
}

function changeOf(goal: Goal, { add, text, bind, remove }: RequirementOptions): AmendGoal | null {
  const texts = new Map((text ?? []).map(named));
  const bound = new Map((bind ?? []).map(named));
  const changed = [...new Set([...texts.keys(), ...bound.keys()])].map((requirementId) => {
    const before = goal.requirements?.find((one) => one.requirementId === requirementId);
    if (before === undefined) {
      throw new UsageError(`There is no requirement ${requirementId}.`, 'Leave the options out.');
    }
    const ids = bound.get(requirementId);
    const criteria = ids === undefined ? before.criteria : ids.split(',').filter((id) => id !== '');
    return { requirementId, text: texts.get(requirementId) ?? before.text, criteria };
  });
  const added = (add ?? []).map((one) => ({ text: one }));
  const given = [...changed, ...added];
  if (given.length === 0 && remove === undefined) return null;
  return {
    ...(given.length === 0 ? {} : { requirements: given }),
    ...(remove === undefined ? {} : { removeRequirements: [...remove] }),
  };
}

/** `R1=c1,c2`. */
function named(option: string): [string, string] {
  const at = option.indexOf('=');
  if (at > 0) return [option.slice(0, at).trim(), option.slice(at + 1).trim()];
  throw new UsageError(`"${option}" names no requirement.`, 'Write it as R1=….');
}
