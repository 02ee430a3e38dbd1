import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  approvalCriterionSchema,
  type Criterion,
  commandCriterionSchema,
  criterionSchema,
  diagnosticsCriterionSchema,
  fileCriterionSchema,
  gitCriterionSchema,
  reviewCriterionSchema,
} from '../../schema/criteria.ts';
import { firstMisfit, tellMisfit } from '../../schema/misfits.ts';
import { proposalIssue } from '../intake/criterion-issue.ts';
import { whyNotKept } from '../secrets/masked-places.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import { defineTool, failed, refused, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** Providers accept only one object, so it has the fields of all kinds. */
const schema = z.strictObject({
  ...commandCriterionSchema.partial().shape,
  ...fields(fileCriterionSchema),
  ...fields(gitCriterionSchema),
  ...fields(diagnosticsCriterionSchema),
  ...fields(reviewCriterionSchema),
  ...fields(approvalCriterionSchema),
  kind: z.enum(['command', 'file', 'git', 'diagnostics', 'review', 'approval']),
});

function fields<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return z.object(shape).partial().shape;
}

export const proposeCriterionTool = defineTool<z.infer<typeof schema>>({
  name: 'propose_criterion',
  description:
    'Proposes one more criterion that the goal is judged by. A person decides about it; go on ' +
    'meanwhile. Kind command takes command (a shell command that must exit 0), kind approval ' +
    'takes question (what a person is asked at the end).',
  effect: 'read',
  modes: ['agent', 'plan'],
  isSpeaking: true,
  schema,
  run: propose,
});

async function propose(args: unknown, context: ToolContext): Promise<ToolResult> {
  const parsed = criterionSchema.safeParse(args);
  if (!parsed.success) {
    return failed(tellMisfit(firstMisfit(parsed.error), 'criterion'));
  }
  const spec = parsed.data;
  const reason =
    whyNotKept(spec, context.mask) ??
    (await reasonAgainst(spec)) ??
    (await findDouble(spec, context));
  if (reason !== null) return refused(reason);
  return {
    ...succeeded('Put to a person, who decides whether it is added. Go on meanwhile.'),
    proposal: spec,
  };
}

/** A criterion that a start refuses is refused as a proposal too. */
async function reasonAgainst(spec: Criterion): Promise<string | null> {
  const issue = proposalIssue(spec, 'the criterion', await loadShellParser());
  return issue?.detail ?? null;
}

async function findDouble(spec: Criterion, context: ToolContext): Promise<string | null> {
  if (context.criteria.some((known) => isDeepStrictEqual(known, spec))) {
    return 'this is a criterion already';
  }
  const open = await context.openProposals();
  if (open.some((known) => isDeepStrictEqual(known, spec))) return 'this was proposed already';
  return open.length >= context.maxOpenProposals
    ? `${open.length} proposals are undecided, and no more than ${context.maxOpenProposals} may be`
    : null;
}
