import type { OidcIdentity } from './oidc.ts';
import type { NewSecurityEntry } from './security-log.ts';

export type SessionKind = 'session' | 'code';

export interface NewSession {
  /** The hash of the secret: a reader of the table can't sign in with it. */
  readonly secretHash: string;
  readonly kind: SessionKind;
  /**
   * Hash of the second secret that must come along: the console's of a session, and of a person's
   * code a cookie of the browser that asked.
   */
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

export interface ListedSession extends Omit<KnownSession, 'consoleHash'> {
  readonly since: string;
}

/** Signed-in browsers and one-time codes, stored in rows so that all API processes agree. */
export interface SessionsPort {
  /** Adds the entry in the same transaction. @returns when it ends */
  open(session: NewSession, entry?: NewSecurityEntry): Promise<string>;
  /** Finds a session unless told to find a code. */
  find(secretHash: string, kind?: SessionKind): Promise<KnownSession | null>;
  /**
   * Turns a code into a session of the same principal in one step, so that no logout misses both:
   * of two callers with the same code, one gets it.
   * @returns when it ends; null for a code that is gone
   */
  redeem(
    codeHash: string,
    session: Pick<NewSession, 'secretHash' | 'consoleHash' | 'seconds'>,
    entry: NewSecurityEntry,
  ): Promise<string | null>;
  /** Signed-in browsers, oldest first. */
  list(): Promise<ListedSession[]>;
  /**
   * Ends all sessions and codes of this name, tells every API process, and adds the entry in the
   * same transaction.
   * @returns how many there were
   */
  endNamed(name: string, entry: NewSecurityEntry): Promise<number>;
  /** Ends a session and tells every API process. */
  end(secretHash: string, entry: NewSecurityEntry): Promise<void>;
  /**
   * Ends what a person opened by the provider's session, or all of it where the logout or the
   * session names none, and tells every API process.
   * @returns their names
   */
  endIdentity(ended: { sid: string | null; subject: string | null }): Promise<string[]>;
}
