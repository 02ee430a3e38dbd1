export type SessionKind = 'session' | 'code';

export interface NewSession {
  /** The hash of the secret: a reader of the table can't sign in with it. */
  readonly secretHash: string;
  readonly kind: SessionKind;
  /** Of the secret that must come along with a session's cookie. */
  readonly consoleHash?: string;
  readonly tokenName: string;
  readonly seconds: number;
}

export interface KnownSession {
  readonly tokenName: string;
  readonly consoleHash: string | null;
  readonly expiresAt: string;
}

/** Signed-in browsers and one-time codes: rows, so that all API processes agree on them. */
export interface SessionsPort {
  /** @returns when it ends */
  open(session: NewSession): Promise<string>;
  find(secretHash: string): Promise<KnownSession | null>;
  /** Ends it and says what it was: of two callers with one code, one gets it. */
  take(secretHash: string, kind: SessionKind): Promise<KnownSession | null>;
}
