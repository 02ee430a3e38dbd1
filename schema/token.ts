import { z } from 'zod';
import { inForms } from './forms.ts';
import { roleSchema } from './role.ts';
import { wordSchema } from './text.ts';

/** Begins every token that the service makes, so that scanners of secrets find it. */
export const TOKEN_PREFIX = 'goalkeeper_pat_';

/** Names of the settings' tokens end in a hash of theirs; nobody else gets such a name. */
const ofSettings = `(?:${roleSchema.options.join('|')})-[0-9a-f]{8}$`;

export const tokenNameSchema = z
  .string()
  .regex(
    new RegExp(`^(?!${ofSettings})[a-z0-9][a-z0-9._-]{0,62}$`),
    'lower case letters, digits, ".", "_" and "-", at most 63, and none that the settings could give',
  );

const newTokenFields = z.strictObject({
  /** Stands in records as whoever did it; no later token gets it. */
  name: tokenNameSchema,
  role: roleSchema,
  /** Goals of these alone exist for it; absent = all that its maker has. */
  workspaces: z.array(wordSchema(120)).min(1).max(100).optional(),
  /**
   * `WORKSPACE/TEMPLATE`, of files at the roots of workspaces, as they are now: it starts goals from
   * these alone, looks and pauses. For the role `agent`.
   */
  templates: z.array(wordSchema(200)).min(1).max(50).optional(),
  /** null = as long as its maker */
  expiresInDays: z.int().min(1).max(3650).nullable().default(90),
});

export const newTokenSchema = inForms(
  newTokenFields,
  [{ lacks: ['templates'] }, { where: { role: z.literal('agent') } }],
  {
    message: 'a token of another role steers goals by more than templates: give it the role agent',
    path: ['templates'],
  },
);

export const tokenSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  /** null = all */
  workspaces: z.array(z.string()).readonly().nullable(),
  /** `WORKSPACE/TEMPLATE`, of the day when it was made; null = it is bound to none. */
  templates: z.array(z.string()).readonly().nullable(),
  createdBy: z.string(),
  createdAt: z.string(),
  /** null = never */
  expiresAt: z.string().nullable(),
  /** To the minute; null = never used. */
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokedBy: z.string().nullable(),
});

export const madeTokenSchema = tokenSchema.extend({
  /** Shown this once: the service keeps its hash alone. */
  token: z.string(),
});

export type NewToken = z.infer<typeof newTokenSchema>;
export type Token = z.infer<typeof tokenSchema>;
export type MadeToken = z.infer<typeof madeTokenSchema>;
