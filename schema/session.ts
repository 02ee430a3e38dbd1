import { z } from 'zod';
import { roleSchema } from './role.ts';

/** A browser signs in with a token, or with a code that a token made for it. */
export const signInSchema = z.union([
  z.strictObject({ token: z.string().min(1).max(500) }),
  z.strictObject({ code: z.string().min(1).max(200) }),
]);

/** Who speaks, as which role, and how long the browser stays signed in. */
export const sessionSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  /** null: by token, which ends when it is taken away. */
  expiresAt: z.string().nullable(),
});

/** What signing in gives beside the cookie. */
export const newSessionSchema = sessionSchema.extend({
  /** Has to come along with the cookie: servers on other ports of this host get that one as well. */
  consoleSecret: z.string(),
});

export const signInCodeSchema = z.strictObject({
  /** Works once. */
  code: z.string(),
  expiresAt: z.string(),
});

export type NewSession = z.infer<typeof newSessionSchema>;
export type Session = z.infer<typeof sessionSchema>;
