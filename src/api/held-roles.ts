import type { Role } from '../../schema/role.ts';
import type { TokensPort } from '../contract/tokens.ts';

interface Held {
  readonly settings: { readonly tokens: readonly { readonly role: Role }[] };
  readonly tokens: Pick<TokensPort, 'hasRole'>;
}

/** Tells whether a valid token, of the settings or made by the service, has one of these roles. */
export const isRoleHeld = async ({ settings, tokens }: Held, roles: readonly Role[]) =>
  settings.tokens.some(({ role }) => roles.includes(role)) || (await tokens.hasRole(roles));
