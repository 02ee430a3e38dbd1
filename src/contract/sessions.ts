import type { OidcIdentity } from './oidc.ts';

export type SessionKind = 'session' | 'code';

export interface NewSession {
  /** The hash of the secret: a reader of the table can't sign in with it. */
  readonly secretHash: string;
  readonly kind: SessionKind;
  /** Hash of the console secret that must accompany a session's cookie. */
  readonly consoleHash?: string;
  readonly tokenName: string;
  /** Of a person who signed in at a provider. */
  readonly identity?: Omit<OidcIdentity, 'name'>;
  readonly seconds: number;
}

export interface KnownSession {
  readonly tokenName: string;
  readonly identity: Omit<OidcIdentity, 'name'> | null;
  readonly consoleHash: string | null;
  readonly expiresAt: string;
}

/** Signed-in browsers and one-time codes, stored in rows so that all API processes agree. */
export interface SessionsPort {
  /** @returns when it ends */
  open(session: NewSession): Promise<string>;
  find(secretHash: string): Promise<KnownSession | null>;
  /** Consumes the session or code: of two callers with the same secret, one gets it. */
  take(secretHash: string, kind: SessionKind): Promise<KnownSession | null>;
  /**
   * Ends what a person opened by the provider's session, or all of it where none is named, and
   * tells every API process.
   * @returns their names
   */
  endIdentity(ended: { sid: string | null; subject: string | null }): Promise<string[]>;
}
