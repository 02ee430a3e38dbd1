import type { Role } from '../../schema/role.ts';

/** Secrets of a sign-in under way, which only its browser keeps. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who the provider says it is. */
export interface OidcIdentity {
  /** `oidc:` and the claim that names people; no token has such a name. */
  readonly name: string;
  readonly role: Role;
  /** Names of the workspaces that they are bound to; null = all. */
  readonly workspaces: readonly string[] | null;
  readonly subject: string;
  /** The provider's own session, by which it ends ours; null = it names none. */
  readonly sid: string | null;
  readonly expiresAt: string;
}

/** The provider at which people sign in. */
export interface OidcPort {
  readonly issuer: string;
  /** Where the browser reaches the service, as the provider knows it. */
  readonly url: string;
  /** Where the browser goes. */
  begin(): Promise<OidcAttempt & { readonly goTo: string }>;
  /** @throws Refusal unauthorized, forbidden where no claim gives a role */
  finish(query: string, attempt: OidcAttempt): Promise<OidcIdentity>;
  /**
   * Whom a logout token of the provider ends.
   * @throws Refusal unauthorized
   */
  loggedOut(logoutToken: string): Promise<Pick<OidcIdentity, 'sid'> & { subject: string | null }>;
}
