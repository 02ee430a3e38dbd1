import { z } from 'zod';
import { roleSchema } from './role.ts';

/** What people of a group may, and the workspaces whose goals exist for them; a team owns these. */
const groupSchema = z.union([
  roleSchema.transform((role) => ({ role, workspaces: null })),
  z.strictObject({
    role: roleSchema,
    workspaces: z.array(z.string().min(1).max(120)).min(1).max(100).readonly(),
  }),
]);

/** How people sign in to the console at a provider (OpenID Connect). */
export const oidcSettingsSchema = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1).max(300),
  /** Where browsers reach the service; the provider is told of `/v1/oidc/callback` behind it. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  scope: z.string().default('openid email profile'),
  /** The claim that names a person in records. An `email` has to be verified. */
  nameClaim: z.string().min(1).default('email'),
  /** The claim whose values decide the role. */
  roleClaim: z.string().min(1).default('groups'),
  /**
   * Value → role, or role and workspaces. Of several the highest role counts, in the workspaces of
   * all that give it. Who has none of them doesn't get in.
   */
  roles: z.record(z.string(), groupSchema),
});

export type OidcSettings = z.infer<typeof oidcSettingsSchema>;

export const signInMethodsSchema = z.strictObject({
  /** Address of the provider; null = tokens alone. */
  oidc: z.string().nullable(),
});
