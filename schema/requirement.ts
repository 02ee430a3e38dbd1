import { z } from 'zod';
import { textSchema } from './text.ts';

/** Most requirements of a goal: a longer list tells a person nothing. */
export const MOST_REQUIREMENTS = 40;

const text = textSchema(500);
const criteria = z
  .array(z.string().regex(/^c[1-9]\d*$/, 'the id of a criterion, such as c1'))
  .max(50);

export const requirementIdSchema = z
  .string()
  .regex(/^R[1-9]\d*$/, 'the id of a requirement, such as R1');

/** A requirement as a person or the model gives it. */
export const requirementInputSchema = z.strictObject({
  /** Absent: a new one. */
  requirementId: requirementIdSchema.optional(),
  text: text.describe('One thing that the objective asks for, in its own words'),
  criteria: criteria
    .describe('Ids of the criteria that check it; empty = openly nobody')
    .optional(),
});

export const requirementsInputSchema = z.array(requirementInputSchema).max(MOST_REQUIREMENTS);

export const requirementSchema = z.strictObject({
  requirementId: z.string(),
  text: z.string(),
  /** Also of criteria that are gone by now: these count for nothing. */
  criteria: z.array(z.string()),
  /** Who wrote it, or accepted its present words. */
  setBy: z.enum(['model', 'person']),
  /** The model named it when it had begun to write: it may fit what was done. */
  late: z.literal(true).optional(),
});

/** Who checks a requirement: `nobody` where no criterion that could tell is bound to it. */
export const checkedBySchema = z.enum(['host', 'person', 'nobody']);

export const shownRequirementSchema = requirementSchema.extend({ by: checkedBySchema });

/** How much of the objective a completion is known to have met. */
export const coverageSchema = z.strictObject({
  total: z.int(),
  host: z.int(),
  person: z.int(),
  nobody: z.int(),
  late: z.int(),
  /** `5 requirements: 3 checked by the host, 1 by a person, 1 by nobody`. */
  statement: z.string(),
  requirements: z.array(shownRequirementSchema),
});

export type RequirementInput = z.infer<typeof requirementInputSchema>;
export type Requirement = z.infer<typeof requirementSchema>;
export type ShownRequirement = z.infer<typeof shownRequirementSchema>;
export type CheckedBy = z.infer<typeof checkedBySchema>;
export type Coverage = z.infer<typeof coverageSchema>;
