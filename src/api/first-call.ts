import type { AttachmentRef } from '../../schema/attachment.ts';
import { buildRequest, SOME_MARK } from '../context/context.ts';
import type { ImageSight } from '../contract/attachments.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { ModelPort } from '../contract/model.ts';
import { noUsage } from '../goal/budget/budget.ts';
import type { Registry } from '../tools/registry.ts';

/** Allowance for the host's opening of the first turn; the rest is built as the worker does. */
const OPENING_WORDS = 100;

/** Name, type and reference of a file, beside those in the goal block. */
const TOKENS_OF_FILE = 100;
/** As much of a text as stands in a message, bytes. */
const SHOWN_OF_TEXT = 20_000;

/** A fixed id keeps estimates repeatable: ids of one length differ in their number of tokens. */
const SOME_ID = 'g-0123456789abcdef';

/** Input tokens of a goal's first model call, as its worker will estimate them. */
export function createFirstCallEstimate(
  model: Pick<ModelPort, 'countTokens' | 'sees'>,
  tools: Pick<Registry, 'declarations'>,
): (goal: NewGoal) => number {
  return (goal) => {
    const request = buildRequest({
      brief: firstBrief(goal),
      kind: 'start',
      messages: [],
      tools: tools.declarations(goal.mode),
      model,
      hostMark: SOME_MARK,
    });
    return request.estimatedInput + OPENING_WORDS + filesOf(goal, model);
  };
}

/** Nobody reads them for an estimate: their sizes say enough. */
function filesOf({ attachments = [], model: name }: NewGoal, model: Pick<ModelPort, 'sees'>) {
  const sight = model.sees(name);
  return attachments.reduce((sum, file) => sum + TOKENS_OF_FILE + fileTokens(file, sight), 0);
}

function fileTokens(file: AttachmentRef, sight: ImageSight | null): number {
  const { mediaType, bytes, width = 0, height = 0 } = file;
  if (mediaType === 'text/plain') return Math.ceil(Math.min(bytes, SHOWN_OF_TEXT) / 3);
  if (!mediaType.startsWith('image/') || sight === null) return 0;
  return Math.ceil(sight.tokens(width, height) * 1.1);
}

function firstBrief(goal: NewGoal): GoalBrief {
  const { objective, mode, model, fallbackModel, criteria, budget, policy } = goal;
  const { attachments = [] } = goal;
  return {
    goalId: SOME_ID,
    objective,
    mode,
    model,
    fallbackModel,
    fallback: null,
    revision: 1,
    generation: 0,
    textTokens: goal.textTokens === true,
    election: null,
    ...(attachments.length === 0 ? {} : { attachments }),
    criteria,
    criteriaRevision: 1,
    budget,
    usage: noUsage,
    policy,
    todos: { revision: 0, items: [] },
    plan: null,
    workspace: { name: goal.workspace, path: '', marker: '', writeSeq: 0 },
    limit: null,
    baseline: null,
    detectsCriteria: false,
    lastDecision: null,
  };
}
