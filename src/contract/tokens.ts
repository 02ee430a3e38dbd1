import type { Caller, Role } from '../../schema/role.ts';
import type { Token } from '../../schema/token.ts';
import type { NewSecurityEntry } from './security-log.ts';

export interface StoredToken
  extends Pick<Token, 'name' | 'role' | 'workspaces' | 'createdBy' | 'expiresAt'> {
  /** The hash of the secret: a reader of the table can't use it. */
  readonly secretHash: string;
}

export interface Maker {
  readonly name: string;
  readonly isAdmin: boolean;
}

/** Tokens that the service made, in rows, so that all API processes agree at once. */
export interface TokensPort {
  /**
   * Adds the entry in the same transaction.
   * @throws Refusal name_taken, also for a name of a revoked token
   */
  add(token: StoredToken, entry: NewSecurityEntry): Promise<Token>;
  /** By name, with what was revoked. */
  list(): Promise<Token[]>;
  /**
   * Ends it and its sessions, and tells every API process; adds the entry in the same transaction.
   * One that is revoked stays as it was, and is told again.
   * @returns null for an unknown name
   */
  revoke(name: string, by: string, entry: NewSecurityEntry): Promise<Token | null>;
  /** Notes its use, to the minute. @returns null for one that is unknown, expired or revoked */
  use(secretHash: string): Promise<Caller | null>;
  /** @returns null for one that is unknown, expired or revoked */
  named(name: string): Promise<Caller | null>;
  /** Who made it, who made that one, and so on; the settings' tokens have no maker. */
  makersOf(name: string): Promise<Maker[]>;
  /** Tells whether a valid token has one of these roles. */
  hasRole(roles: readonly Role[]): Promise<boolean>;
}
