import { z } from 'zod';
import { objectiveSchema, startFields, workspaceModeSchema } from './goal.ts';
import { notifyTargetSchema } from './notify.ts';
import { wordSchema } from './text.ts';

/** Of one start alone: nothing that a repository could say for all of its goals. */
const OF_ONE_START = {
  objective: true,
  threadId: true,
  attachments: true,
  conversation: true,
  expectedGoalId: true,
  replace: true,
  expectedRevision: true,
  // biome-ignore lint/suspicious/noThenProperty: no thenable
  then: true,
} as const;

const committedTarget = notifyTargetSchema.refine(({ secret }) => secret === undefined, {
  path: ['secret'],
  message: 'a committed file holds no secret: name a variable of the workers as secretEnv',
});

/** What a repository asks for its goals: each field of a start that is not of one start alone. */
export const termsSchema = startFields.omit(OF_ONE_START).extend({
  /** Which workspace it is, the file's own place says. */
  workspace: z.strictObject({ mode: workspaceModeSchema.optional() }).optional(),
  notify: z.array(committedTarget).max(10).optional(),
});

const parameterSchema = z.strictObject({
  /** For people who look for what to set. */
  about: wordSchema(300).optional(),
  /** Absent: it has to be set. */
  default: z.string().max(4000).optional(),
});

/** An objective for many goals; `{{name}}` in its texts stands for a parameter's value. */
export const templateSchema = termsSchema.extend({
  objective: objectiveSchema,
  about: wordSchema(300).optional(),
  parameters: z
    .record(z.string().regex(/^[A-Za-z]\w{0,59}$/, 'letters, digits and _'), parameterSchema)
    .optional(),
});

/** A repository's own `goalkeeper.yaml` or `goalkeeper.json`. */
export const repositoryFileSchema = termsSchema.extend({
  templates: z
    .record(
      z.string().regex(/^[A-Za-z0-9][\w.-]{0,59}$/, 'letters, digits, ".", "_" and "-"'),
      templateSchema,
    )
    .optional(),
});

export type Terms = z.infer<typeof termsSchema>;
