import { z } from 'zod';
import { criterionSchema } from './criteria.ts';

/**
 * Kinds of approval. `completion`: a claim that no host check proves; `basis`: changes beyond
 * the scope, on which the proof rests; `manual`: a todo item that only a person can judge; `approval`: the question of a
 * criterion; `criterion`: a criterion that the model proposes; `unknown_effect`: a call whose end
 * was not seen; `tool`: a call that the policy asks about; `requirement`: a requirement that nothing
 * checks; `requirement_change`, `scope_change`: a change of the requirements, or a wider scope, that
 * the model proposes; `plan`: the plan of a goal in the mode plan.
 */
export const approvalKindSchema = z.enum([
  'tool',
  'basis',
  'manual',
  'criterion',
  'approval',
  'completion',
  'unknown_effect',
  'requirement',
  'requirement_change',
  'scope_change',
  'plan',
]);

/** `superseded`: the goal went on before anybody decided. */
export const approvalStateSchema = z.enum(['open', 'approved', 'denied', 'superseded']);

export const approvalSchema = z.strictObject({
  approvalId: z.string(),
  goalId: z.string(),
  kind: approvalKindSchema,
  turn: z.int(),
  /** The decision that is asked for, in one sentence. */
  question: z.string(),
  onApprove: z.string(),
  onDeny: z.string(),
  /** The decision's basis: result, item, criterion, changes, changed files. */
  data: z.record(z.string(), z.unknown()),
  /**
   * What "always" lets run in this workspace beside the call; null = it is not offered, because it is
   * about no call, or no rule of a few lines says what the call is.
   */
  always: z.strictObject({ workspace: z.string(), says: z.string() }).nullable(),
  state: approvalStateSchema,
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** The criterion that was accepted in place of the proposed one; absent = what was proposed. */
  accepted: criterionSchema.optional(),
});

export type ApprovalKind = z.infer<typeof approvalKindSchema>;
export type Approval = z.infer<typeof approvalSchema>;
