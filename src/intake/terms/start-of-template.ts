import { type StartGoal, startGoalSchema } from '../../../schema/goal.ts';
import { firstMisfit, tellMisfit } from '../../../schema/misfits.ts';
import type { KeptTemplate } from '../../contract/tokens.ts';
import { fieldIssue, type Resolved, resolved, unresolved } from '../issue.ts';
import { fillTemplate, type Values } from './fill-template.ts';

/** The start that a template is with these values, or the first of them that it can't take. */
export function startOfTemplate(template: KeptTemplate, values: Values): Resolved<StartGoal> {
  const { goal, parameters, workspace } = template;
  const strange = Object.keys(values).find((name) => !Object.hasOwn(parameters, name));
  if (strange !== undefined) {
    const known = Object.keys(parameters).join(', ') || 'none';
    return refused(`values.${strange}`, `the template has no such parameter, but ${known}`);
  }
  const unset = Object.entries(parameters).find(
    ([name, fallback]) => fallback === null && !Object.hasOwn(values, name),
  );
  if (unset !== undefined)
    return refused(`values.${unset[0]}`, 'the template asks for it: give it a value');
  const { content, unfilled } = fillTemplate(goal, { ...defaultsOf(parameters), ...values });
  if (unfilled !== null) {
    const why =
      'takes a plain word there: no blanks, quotes, signs of a shell or folder above (..)';
    return refused(`values.${unfilled.parameter}`, `${unfilled.place} ${why}`);
  }
  const filled = content as { readonly workspace?: object };
  const place = { ...filled.workspace, name: workspace };
  const start = startGoalSchema.safeParse({ ...filled, workspace: place });
  if (start.success) return resolved(start.data);
  return refused('template', tellMisfit(firstMisfit(start.error)));
}

const defaultsOf = (parameters: KeptTemplate['parameters']): Values =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, fallback]) =>
      fallback === null ? [] : [[name, fallback]],
    ),
  );

const refused = (field: string, why: string) => unresolved(fieldIssue(field, why));
