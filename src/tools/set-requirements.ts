import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  MOST_REQUIREMENTS,
  type RequirementInput,
  requirementIdSchema,
  requirementInputSchema,
} from '../../schema/requirement.ts';
import type { RequirementChange, RequirementGround } from '../contract/requirements.ts';
import { describeChanges, isSame, isSameText } from '../proof/requirements/changes.ts';
import { defineTool, refused, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const schema = z.strictObject({
  requirements: z
    .array(requirementInputSchema)
    .max(MOST_REQUIREMENTS)
    .describe('New ones without an id; with an id, a change that a person decides')
    .optional(),
  remove: z
    .array(requirementIdSchema)
    .max(MOST_REQUIREMENTS)
    .describe('Ids to be removed; a person decides')
    .optional(),
});

type Arguments = z.infer<typeof schema>;

export const setRequirementsTool = defineTool<Arguments>({
  name: 'set_requirements',
  description:
    'Splits the objective into requirements, each bound to the criteria that check it, or openly ' +
    'to none. Say all that the objective asks for. More can be added at any time; a change or ' +
    'removal is put to a person.',
  effect: 'read',
  modes: ['agent', 'plan'],
  isSpeaking: true,
  isForHost: true,
  schema,
  run: setRequirements,
});

async function setRequirements(asked: Arguments, context: ToolContext): Promise<ToolResult> {
  if (context.requirements === undefined) return refused('requirements can not be set here');
  const { mask = (text: string) => text } = context;
  const ground = await context.requirements();
  const wanted = (asked.requirements ?? []).map((one) => ({ ...one, text: mask(one.text) }));
  const added = wanted.filter(({ requirementId }) => requirementId === undefined);
  const changes = changesIn(wanted, asked.remove ?? [], ground);
  const reason = whyNot(wanted, added, changes, ground);
  if (reason !== null) return refused(reason);
  if (added.length === 0 && changes.length === 0) return refused('nothing of it is new');
  return {
    ...succeeded(textOf(added, changes)),
    ...(added.length === 0 ? {} : { requirements: added }),
    ...(changes.length === 0
      ? {}
      : {
          requirementChange: { changes, describes: describeChanges(ground.requirements, changes) },
        }),
  };
}

function changesIn(
  wanted: readonly RequirementInput[],
  removed: readonly string[],
  { requirements }: RequirementGround,
): RequirementChange[] {
  const changed = wanted.flatMap(({ requirementId, text, criteria }): RequirementChange[] => {
    if (requirementId === undefined) return [];
    const before = requirements.find((one) => one.requirementId === requirementId);
    const to = { text, criteria: [...new Set(criteria ?? before?.criteria ?? [])] };
    return before !== undefined && isSame(before, to) ? [] : [{ requirementId, to }];
  });
  return [...changed, ...removed.map((requirementId) => ({ requirementId, to: null }))];
}

function whyNot(
  wanted: readonly RequirementInput[],
  added: readonly RequirementInput[],
  changes: readonly RequirementChange[],
  ground: RequirementGround,
): string | null {
  const { requirements, criteria } = ground;
  const known = requirements.map(({ requirementId }) => requirementId);
  const strange = changes.find(({ requirementId }) => !known.includes(requirementId));
  if (strange !== undefined)
    return `there is no requirement ${strange.requirementId}; leave the id out to add one`;
  const ids = criteria.map(({ criterionId }) => criterionId);
  const unbound = wanted.flatMap((one) => one.criteria ?? []).find((id) => !ids.includes(id));
  if (unbound !== undefined)
    return `there is no criterion ${unbound}; those of the goal: ${ids.join(', ') || 'none'}`;
  return whyNotAdded(added, ground) ?? whyNotProposed(changes, ground);
}

function whyNotAdded(
  added: readonly RequirementInput[],
  { requirements }: RequirementGround,
): string | null {
  const texts = [...requirements, ...added].map(({ text }) => text);
  const double = texts.find(
    (text, index) => texts.findIndex((one) => isSameText(one, text)) < index,
  );
  if (added.length > 0 && double !== undefined) return `"${double}" is there already`;
  return added.length > 0 && texts.length > MOST_REQUIREMENTS
    ? `there are ${requirements.length}, and no more than ${MOST_REQUIREMENTS} may be: join what belongs together`
    : null;
}

function whyNotProposed(
  changes: readonly RequirementChange[],
  { openChange, declinedChanges }: RequirementGround,
): string | null {
  if (changes.length === 0) return null;
  if (openChange) return 'a person has not decided about your last change of the requirements yet';
  return declinedChanges.some((one) => isDeepStrictEqual(one, changes))
    ? 'a person declined this very change'
    : null;
}

function textOf(added: readonly RequirementInput[], changes: readonly RequirementChange[]): string {
  return [
    ...(added.length === 0
      ? []
      : [`Added ${added.length}. The goal block shows them with their ids.`]),
    ...(changes.length === 0
      ? []
      : ['The change was put to a person, who decides. Go on meanwhile by what stands.']),
  ].join('\n');
}
