import { z } from 'zod';
import { criterionSchema } from './criteria.ts';
import { atMost, textSchema, wordSchema } from './text.ts';

/**
 * Why a criterion can't be met honestly. `contradiction`: it demands the opposite of the objective or
 * of another criterion; `infeasible`: nothing could meet it; `wrong_check`: it checks something else
 * than it means; `missing_access`: it needs what the goal can't reach.
 */
export const disputeKindSchema = z.enum([
  'contradiction',
  'infeasible',
  'wrong_check',
  'missing_access',
]);

/** A command that shows it, and what has to be seen for that. */
export const counterExampleSchema = z.strictObject({
  command: textSchema(1000).describe('A shell command; the host runs it'),
  expect: z
    .strictObject({
      exit: z.int().min(0).max(255).describe('Its exit code').optional(),
      contains: wordSchema(500).describe('A text in its output').optional(),
    })
    .refine(
      ({ exit, contains }) => exit !== undefined || contains !== undefined,
      'give exit, contains or both',
    ),
});

/**
 * `insisted`: a person wants the criterion met as it is; `amended`: a person changed the criteria;
 * `infeasible`: a person ended the goal; `superseded`: the goal went on without an answer.
 */
export const disputeStateSchema = z.enum([
  'open',
  'insisted',
  'amended',
  'infeasible',
  'superseded',
]);

/** One run of the counter-example by the host. */
export const counterRunSchema = z.strictObject({
  /**
   * `work`: with the goal's changes; `original`: the files as they were at the goal's start; `empty`:
   * no files at all.
   */
  tree: z.enum(['work', 'original', 'empty']),
  exit: z.int().nullable(),
  /** Did it show what it expects? */
  shows: z.boolean(),
  /** The end of its output. */
  output: z.string(),
  /** Ledger seq of the run. */
  receipt: z.int(),
});

export const disputeSchema = z.strictObject({
  disputeId: z.string(),
  goalId: z.string(),
  criterionId: z.string(),
  /** The criterion as it was disputed. */
  criterion: criterionSchema,
  kind: disputeKindSchema,
  counterExample: counterExampleSchema,
  explanation: z.string(),
  /** `proof`: the original with the changes in scope; `clean`: a checkout of the workspace. */
  place: z.enum(['proof', 'clean']),
  /** The first is the one that counts. */
  runs: z.array(counterRunSchema),
  /** Null: there is no original to try it on. False: only the goal's own changes make it so. */
  showsOnOriginal: z.boolean().nullable(),
  /** True: it says nothing about this project, and at most something about the machine. */
  showsOnNothing: z.boolean(),
  turn: z.int(),
  state: disputeStateSchema,
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
});

/** `POST /v1/goals/{goalId}/disputes/{disputeId}`; amending the criteria is the third answer. */
export const decideDisputeSchema = z.strictObject({
  decision: z.enum(['insist', 'infeasible']),
  note: z.string().check(atMost(4000)).optional(),
  expectedRevision: z.int().min(1).optional(),
});

export type CounterExample = z.infer<typeof counterExampleSchema>;
export type CounterRun = z.infer<typeof counterRunSchema>;
export type DisputeState = z.infer<typeof disputeStateSchema>;
export type Dispute = z.infer<typeof disputeSchema>;
export type DisputeDecision = z.infer<typeof decideDisputeSchema>['decision'];
