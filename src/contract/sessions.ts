export type SessionKind = 'session' | 'code';

export interface NewSession {
  /** The hash of the secret: a reader of the table can't sign in with it. */
  readonly secretHash: string;
  readonly kind: SessionKind;
  /** Hash of the console secret that must accompany a session's cookie. */
  readonly consoleHash?: string;
  readonly tokenName: string;
  readonly seconds: number;
}

export interface KnownSession {
  readonly tokenName: string;
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
}
