import { z } from 'zod';
import { counterExampleSchema, disputeKindSchema } from '../../schema/dispute.ts';
import type { DisputePort } from '../contract/dispute.ts';
import { notShownText, whyNoDispute } from '../proof/disputes.ts';
import { whyNotKept } from '../secrets/masked-places.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import { defineTool, failed, refused } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const schema = z.strictObject({
  criterionId: z.string().trim().min(1).max(80).describe('Such as c2'),
  kind: disputeKindSchema.describe(
    'contradiction: it demands the opposite of the objective or another criterion; infeasible: ' +
      'nothing could meet it; wrong_check: it checks something else than it means; ' +
      'missing_access: it needs what you cannot reach',
  ),
  counterExample: counterExampleSchema.describe(
    'A command that shows it, and what is to be seen: its exit code, a text in its output',
  ),
  explanation: z.string().trim().min(1).max(4000).describe('What is wrong, for the person'),
});

type Arguments = z.infer<typeof schema>;

export const disputeCriterionTool = defineTool<Arguments>({
  name: 'dispute_criterion',
  description:
    'Disputes a criterion that cannot be met honestly. The host runs the counter-example itself, ' +
    'on the files as they were at the start with your changes in scope; where it shows what you ' +
    'expect, the goal pauses and a person amends the criterion, insists on it, or ends the goal.',
  effect: 'read',
  modes: ['agent'],
  isLifecycle: true,
  isSpeaking: true,
  schema,
  run: dispute,
});

async function dispute(asked: Arguments, context: ToolContext): Promise<ToolResult> {
  const { disputes, mask = (text: string) => text } = context;
  if (disputes === undefined) return refused('nothing can be disputed here');
  const { criterionId, kind, counterExample } = asked;
  const ground = await disputes.ground();
  const reason =
    whyNotKept(counterExample, mask) ??
    whyNoDispute(asked, ground.criteria, ground.disputes, await loadShellParser());
  if (reason !== null) return refused(reason);
  const criterion = ground.criteria.find((one) => one.criterionId === criterionId);
  if (criterion === undefined) return refused(`there is no criterion ${criterionId}`);
  const found = await run(disputes, asked, mask);
  if (!found.runs[0].shows) return failed(notShownText(counterExample, found.runs[0]));
  // What the goal can't reach may be missing whatever the files are.
  if (found.showsOnNothing && kind !== 'missing_access') return refused(NOT_ABOUT_THE_PROJECT);
  const explanation = mask(asked.explanation);
  const body = { criterion: criterion.spec, kind, counterExample, explanation, ...found };
  await disputes.stage(criterionId, body);
  return {
    outcome: 'succeeded',
    text: 'The dispute was put to a person.',
    receipt: {},
    end: {
      kind: 'dispute',
      text: `${criterionId} (${kind.replace('_', ' ')}): ${explanation}`,
      criterionId,
      criteriaRevision: ground.criteriaRevision,
    },
  };
}

const NOT_ABOUT_THE_PROJECT =
  'the counter-example shows the same in an empty folder, so it says nothing about this project: let it look at the files in question, and expect what only they bring about';

async function run(
  disputes: DisputePort,
  { counterExample }: Arguments,
  mask: (t: string) => string,
) {
  const found = await disputes.run(counterExample);
  const [first, ...others] = found.runs;
  const masked = (one: typeof first) => ({ ...one, output: mask(one.output) });
  return { ...found, runs: [masked(first), ...others.map(masked)] as [typeof first] };
}
