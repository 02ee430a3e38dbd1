import { z } from 'zod';
import { roleSchema } from './role.ts';
import { wordSchema } from './text.ts';

/** A browser signs in with a token, or with a code that a token made for it. */
export const signInSchema = z.union([
  z.strictObject({ token: wordSchema(500) }),
  z.strictObject({ code: wordSchema(200) }),
]);

/** Name, role and bounds of the caller, and the end of the browser's session or the token. */
export const sessionSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  /** Names of the workspaces that it is bound to; null = all. */
  workspaces: z.array(z.string()).readonly().nullable(),
  /** `WORKSPACE/TEMPLATE`: it starts goals from these alone; null = it is bound to none. */
  templates: z.array(z.string()).readonly().nullable(),
  /** null for a token that is valid until it is removed or revoked. */
  expiresAt: z.string().nullable(),
});

/** Answer of signing in, beside the cookie. */
export const newSessionSchema = sessionSchema.extend({
  /**
   * Secret that must accompany the cookie: servers on other ports of this host receive the cookie,
   * too.
   */
  consoleSecret: z.string(),
});

export const signInCodeSchema = z.strictObject({
  /** Works once. */
  code: z.string(),
  expiresAt: z.string(),
});

/** A signed-in browser, without what would let anybody act as it. */
export const openSessionSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  workspaces: z.array(z.string()).readonly().nullable(),
  templates: z.array(z.string()).readonly().nullable(),
  signedInBy: z.enum(['token', 'provider']),
  since: z.string(),
  expiresAt: z.string(),
});

export const endedSessionsSchema = z.strictObject({
  name: z.string(),
  /** Browsers that were signed in, and codes that nobody used yet. */
  ended: z.int(),
});

export type OpenSession = z.infer<typeof openSessionSchema>;
export type EndedSessions = z.infer<typeof endedSessionsSchema>;
export type NewSession = z.infer<typeof newSessionSchema>;
export type Session = z.infer<typeof sessionSchema>;
