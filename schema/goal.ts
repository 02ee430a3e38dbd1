import { z } from 'zod';
import { agentNameSchema } from './agents.ts';
import { attachmentIdsSchema } from './attachment.ts';
import { budgetInputSchema, budgetSchema, usageSchema } from './budget.ts';
import { criterionSchema, trackedCriterionSchema } from './criteria.ts';
import { type Form, inForms, oneOfFields } from './forms.ts';
import { isolationSchema } from './isolation.ts';
import { notifySchema, shownTargetSchema } from './notify.ts';
import { policyInputSchema, policySchema } from './policy.ts';
import {
  coverageSchema,
  MOST_REQUIREMENTS,
  requirementIdSchema,
  requirementsInputSchema,
  shownRequirementSchema,
} from './requirement.ts';
import { scopeInputSchema, scopeNoticeSchema, scopeSchema } from './scope.ts';
import { atMost, BLANKS, matching, NOT_BLANK, NUL, textSchema, wordSchema } from './text.ts';

export const goalStatusSchema = z.enum(['active', 'paused', 'budget_limited', 'complete']);

export const pauseReasonSchema = z.enum([
  'person',
  'program',
  'message',
  'question',
  'blocked',
  'no_progress',
  'gate_exhausted',
  'unverified_claim',
  'protocol_error',
  'provider_error',
  'tool_error_cap',
  'lifecycle_breaker',
  /** The goal's row is not what was sealed: somebody changed the database. */
  'record_altered',
  'recovery',
  'disputed',
  'infeasible',
]);

/**
 * What stands in the way. `authority`: a right or decision that only a person can give; `external`:
 * something outside of the goal's reach is broken or missing; `repeated_failure`: every way that was
 * tried failed.
 */
export const blockerKindSchema = z.enum(['authority', 'external', 'repeated_failure']);

export const actorSchema = z.enum(['You', 'Agent', 'Clock', 'Provider', 'Worker', 'Team']);

export const waitOnSchema = z.enum([
  'timer',
  'condition',
  'delegate',
  'approval',
  'provider',
  'worker',
  'workspace',
  'session',
  /** A spend limit of the service leaves too little for the next call. */
  'spend',
  /** Temporal tries it again and again, and it fails. */
  'execution',
]);

export const verificationSchema = z.enum(['verified', 'supported', 'accepted_by_person']);
export const completionSourceSchema = z.enum(['explicit', 'implicit', 'person']);
export const modeSchema = z.enum(['agent', 'plan', 'gather']);

export const pauseSchema = z.strictObject({
  reason: pauseReasonSchema,
  message: z.string(),
  missing: z.array(z.string()),
  questionId: z.string().optional(),
  approvalId: z.string().optional(),
  /** The dispute that a person has to decide, or has decided by ending the goal. */
  disputeId: z.string().optional(),
  /** What kind of blocker the model reports; absent where an earlier version recorded it. */
  blocker: blockerKindSchema.optional(),
  since: z.string(),
  /** When the question's default answer holds. */
  until: z.string().optional(),
});

/** The goal's present activity and its next actor. */
export const activitySchema = z.strictObject({
  state: z.enum(['running', 'waiting', 'idle']),
  on: waitOnSchema.optional(),
  reason: z.string(),
  since: z.string(),
  until: z.string().optional(),
  actor: actorSchema,
});

export const completionSchema = z.strictObject({
  source: completionSourceSchema,
  verification: verificationSchema,
  result: z.string(),
  /** The command that the claim names as showing it; absent = it names none. */
  command: z.string().optional(),
  changedFiles: z.array(z.string()),
  receipts: z.array(z.int()),
  /** Weakest isolation of any command on the way; absent = none ran. */
  isolation: isolationSchema.optional(),
  /** Absent where nobody split the objective into requirements. */
  coverage: coverageSchema.optional(),
  at: z.string(),
});

/** `worktree`: the goal gets a git worktree and a branch of its own, made from the last commit. */
export const workspaceModeSchema = z.enum(['shared', 'worktree']);

export const workspacePathSchema = wordSchema(1000).regex(
  new RegExp(`^/[^${NUL}]*$`, 'u'),
  'Give the absolute path.',
);

const howItWorks = {
  mode: workspaceModeSchema.optional(),
  /** Of a worktree: it begins with the files of another goal, as they were after a turn; 0 = before its first write. */
  from: z.strictObject({ goalId: wordSchema(80), turn: z.int().min(0).max(9_999_999) }).optional(),
};

export const workspaceInputSchema = z.union([
  z.strictObject({ name: wordSchema(120), ...howItWorks }),
  z.strictObject({ path: workspacePathSchema, ...howItWorks }),
]);

export const objectiveSchema = z
  .string()
  .min(1, 'must not be empty')
  .check(matching(NOT_BLANK, 'must not be empty'))
  .check(atMost(4000));

/** Also a part of URLs, where `.` and `..` would be taken away. */
export const threadIdSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,120}$/, '1–120 letters, digits, ".", "_", ":" or "-"');

const modelSchema = z
  .string()
  .regex(
    new RegExp(`^[a-z]+/[^${BLANKS}${NUL}]{1,180}$`, 'u'),
    'provider/model, such as openai/gpt-5.1',
  );

const expectedRevision = z.int().min(1).optional();

/** In the line for a workspace, higher goes first; 0 = usual. */
const prioritySchema = z.int().min(-10).max(10);

const setupSchema = z.array(textSchema(1000)).min(1).max(10);

const startTerms = z.strictObject({
  objective: objectiveSchema,
  threadId: threadIdSchema.optional(),
  /** Uploaded files that belong to the objective. */
  attachments: attachmentIdsSchema.optional(),
  /**
   * `continue` begins with the conversation of the thread's goal before; absent = that for people,
   * `new` for programs.
   */
  conversation: z.enum(['continue', 'new']).optional(),
  /** Absent = no check, null = expects none, id = must be the current goal. */
  expectedGoalId: wordSchema(80).nullable().optional(),
  replace: z.boolean().optional(),
  /** Expected revision of the thread's current goal; a mismatch or no goal is a conflict. */
  expectedRevision,
  criteria: z.array(criterionSchema).max(50).optional(),
  budget: budgetInputSchema.optional(),
  model: modelSchema.optional(),
  /** null = none, whatever the service has; absent = the service's. */
  fallbackModel: modelSchema.nullable().optional(),
  mode: modeSchema.optional(),
  /** Who works on it, by a name of the settings; absent or `builtin` = the own loop. */
  agent: agentNameSchema.optional(),
  /** `external`: a person's own session works on it, and the host judges; absent = the host drives. */
  driver: z.enum(['host', 'external']).optional(),
  workspace: workspaceInputSchema.optional(),
  policy: policyInputSchema.optional(),
  /** Which files are the work; absent = the host infers it. */
  scope: scopeInputSchema.optional(),
  /** Commands that install what a proof needs, on the original; absent = lock files speak. */
  setup: setupSchema.optional(),
  /** What the objective asks for, piece by piece; absent = the model splits it. */
  requirements: requirementsInputSchema.optional(),
  /** For models without tool calling: tokens at the end of a text stand for the calls. */
  textTokens: z.boolean().optional(),
  /** In the line for its workspace; programs give 0 or less. */
  priority: prioritySchema.optional(),
  /** Webhooks that hear of it when the goal waits for a person or is over. */
  notify: notifySchema.optional(),
});

/** A goal that comes right after another, in its thread and workspace. */
export const followingGoalSchema = startTerms.omit({
  threadId: true,
  // An upload may have expired when its turn comes.
  attachments: true,
  expectedGoalId: true,
  replace: true,
  expectedRevision: true,
  workspace: true,
  // Its session would have to know of it.
  driver: true,
});

/** All that a start may say; {@link startGoalSchema} judges how it goes together. */
export const startFields = startTerms.extend({
  /** Goals that come right after it, in this order, each when the one before is complete. */
  // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
  then: z.array(followingGoalSchema).min(1).max(10).optional(),
});

/** For {@link inForms}: the forms that a start takes, and what is said where it takes none. */
export const replacing = [
  [
    { where: { replace: z.literal(false) } },
    { has: ['replace', 'expectedGoalId'], where: { expectedGoalId: z.string() } },
  ] satisfies Form<'replace' | 'expectedGoalId'>[],
  {
    message: 'replace needs the id of the goal that it replaces',
    path: ['expectedGoalId'],
  },
] as const;

/** `POST /v1/goals`. */
export const startGoalSchema = inForms(startFields, ...replacing);

/** `PUT /v1/threads/{threadId}/goal`: the path names the thread. */
export const threadGoalSchema = inForms(startFields.omit({ threadId: true }), ...replacing);

const amendFields = z.strictObject({
  objective: objectiveSchema.optional(),
  criteria: z.array(criterionSchema).max(50).optional(),
  budget: budgetInputSchema.optional(),
  model: modelSchema.optional(),
  /** null takes it away. */
  fallbackModel: modelSchema.nullable().optional(),
  policy: policyInputSchema.optional(),
  /** What the goal may do from its next step on. */
  mode: modeSchema.optional(),
  priority: prioritySchema.optional(),
  /** The goals that wait to come after it never begin. */
  dropThen: z.literal(true).optional(),
  /** New ones without an id; with an id, its new words. The others stay. */
  requirements: requirementsInputSchema.optional(),
  removeRequirements: z.array(requirementIdSchema).max(MOST_REQUIREMENTS).optional(),
  /** Replaces all targets. */
  notify: notifySchema.optional(),
  expectedRevision,
});

export const amendGoalSchema = inForms(
  amendFields,
  [...amendFields.keyof().exclude(['expectedRevision']).options].map((field) => ({ has: [field] })),
  { message: 'name at least one field to change' },
);

export const pauseGoalSchema = z.strictObject({ expectedRevision });
export const resumeGoalSchema = z.strictObject({
  acknowledge: z.boolean().optional(),
  expectedRevision,
});
export const completeGoalSchema = z.strictObject({
  result: textSchema(8000),
  expectedRevision,
});
export const cancelChainSchema = z.strictObject({ expectedRevision });
export const clearGoalSchema = z.strictObject({ expectedRevision });
export const messageSchema = z.strictObject({
  text: textSchema(20_000),
  /** Uploaded files that come with it. */
  attachments: attachmentIdsSchema.optional(),
  /**
   * `pause`: the goal answers, then pauses. `steer`: the next model call reads it, and the goal goes
   * on. `now`: the same, and the command that runs is ended first.
   */
  delivery: z.enum(['pause', 'steer', 'now']).optional(),
  expectedRevision,
});
/** Where no turn has read it. */
export const takeBackSchema = z.strictObject({ expectedRevision });
export const answerSchema = inForms(
  z.strictObject({
    questionId: wordSchema(80),
    text: textSchema(20_000).optional(),
    /** Number of one of the question's options, from 1. */
    option: z.int().min(1).max(10).optional(),
    /** Uploaded files that come with it. */
    attachments: attachmentIdsSchema.optional(),
    expectedRevision,
  }),
  oneOfFields(['text', 'option']),
  { message: 'give either a text or the number of an option' },
);
/** A plan as a person may rewrite it: it stands in every request of the goal that carries it out. */
export const planTextSchema = textSchema(8000);

export const decideApprovalSchema = inForms(
  z.strictObject({
    decision: z.enum(['approve', 'deny']),
    note: z.string().check(atMost(4000)).optional(),
    /** Of a plan: the text that takes its place; absent = it is approved as it is. */
    plan: planTextSchema.optional(),
    /** Of a plan: beside those of its goal. Of a proposed criterion: the one that takes its place. */
    criteria: z.array(criterionSchema).max(50).optional(),
    /** Of a plan: instead of what it left of its own budget. */
    budget: budgetInputSchema.optional(),
    /** Of a call: its like runs without a question in this workspace, until the rule is revoked. */
    always: z.literal(true).optional(),
    expectedRevision,
  }),
  [
    { lacks: ['plan', 'criteria', 'budget', 'always'] },
    { where: { decision: z.literal('approve') } },
  ],
  { message: 'plan, criteria, budget and always belong to an approval', path: ['decision'] },
);

/**
 * A goal as callers see it. Narrower than the stored row: no epoch, run id, snapshot or counters.
 */
export const goalSchema = z.strictObject({
  goalId: z.string(),
  threadId: z.string(),
  parentGoalId: z.string().optional(),
  /** The goal whose approved plan this one carries out. */
  plannedBy: z.string().optional(),
  /** The goal before it in its thread, whose conversation it goes on. */
  continues: z.string().optional(),
  /** The agent of the settings that works on it; absent = the own loop. */
  agent: z.string().optional(),
  /** A person's own session works on it; absent = the host drives it. */
  driver: z.literal('external').optional(),
  /** The goal that carries out the plan of this one. */
  handedTo: z.string().optional(),
  /** The goal that this one came right after. */
  follows: z.string().optional(),
  /** The goal that came right after this one. */
  followedBy: z.string().optional(),
  /** Goals that come after this one, in order, once it is complete. */
  // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
  then: z.array(z.strictObject({ objective: z.string() })).optional(),
  /** Why the next of them did not begin. */
  thenRefused: z.string().optional(),
  objective: z.string(),
  status: goalStatusSchema,
  pause: pauseSchema.optional(),
  activity: activitySchema,
  revision: z.int(),
  criteria: z.array(trackedCriterionSchema),
  budget: budgetSchema,
  usage: usageSchema,
  todos: z.strictObject({ revision: z.int(), total: z.int(), done: z.int() }),
  completion: completionSchema.optional(),
  model: z.string(),
  fallbackModel: z.string().optional(),
  /** Present while the fallback model stands in for the first one. */
  fallback: z
    .strictObject({
      model: z.string(),
      since: z.string(),
      until: z.string(),
      reason: z.string(),
    })
    .optional(),
  /** Wakes in a row that the model asked for; absent = none. */
  chain: z.strictObject({ startedAt: z.string(), length: z.int(), tokens: z.int() }).optional(),
  textTokens: z.literal(true).optional(),
  /** In the line for its workspace; absent = 0. */
  priority: prioritySchema.optional(),
  mode: modeSchema,
  workspace: z.strictObject({
    name: z.string(),
    /** Path of the workspace; empty until a worktree is made. */
    path: z.string(),
    mode: workspaceModeSchema,
    /** Branch of the worktree. */
    branch: z.string().optional(),
  }),
  policy: policySchema,
  /** Which files are the work; absent until the baseline of a goal that proves by scope. */
  scope: scopeSchema.optional(),
  /** What its workspace and scope mean for the level that can be reached; absent = nothing. */
  notices: z.array(scopeNoticeSchema).optional(),
  /** What the objective asks for, and who checks each piece; absent = it was not split yet. */
  requirements: z.array(shownRequirementSchema).optional(),
  notify: z.array(shownTargetSchema).optional(),
  /** Isolation of the commands so far; before the first one, the workers' own report. */
  isolation: isolationSchema,
  archivedAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type GoalStatus = z.infer<typeof goalStatusSchema>;
export type PauseReason = z.infer<typeof pauseReasonSchema>;
export type BlockerKind = z.infer<typeof blockerKindSchema>;
export type Actor = z.infer<typeof actorSchema>;
export type WaitOn = z.infer<typeof waitOnSchema>;
export type Verification = z.infer<typeof verificationSchema>;
export type CompletionSource = z.infer<typeof completionSourceSchema>;
export type Mode = z.infer<typeof modeSchema>;
export type Pause = z.infer<typeof pauseSchema>;
export type Activity = z.infer<typeof activitySchema>;
export type Completion = z.infer<typeof completionSchema>;
export type WorkspaceInput = z.infer<typeof workspaceInputSchema>;
export type StartGoal = z.infer<typeof startGoalSchema>;
export type FollowingGoal = z.infer<typeof followingGoalSchema>;
export type AmendGoal = z.infer<typeof amendGoalSchema>;
export type Goal = z.infer<typeof goalSchema>;
