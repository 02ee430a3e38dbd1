import type { Caller, Role } from '../../schema/role.ts';
import type { Token } from '../../schema/token.ts';
import type { NewSecurityEntry } from './security-log.ts';

export interface StoredToken
  extends Pick<Token, 'name' | 'role' | 'workspaces' | 'createdBy' | 'expiresAt'> {
  /** The hash of the secret: a reader of the table can't use it. */
  readonly secretHash: string;
  readonly templates: readonly KeptTemplate[] | null;
}

/** A template as it was when the token was made: whoever writes its file later widens no token. */
export interface KeptTemplate {
  readonly workspace: string;
  readonly name: string;
  /** Terms of the file and of the template, with the placeholders of its parameters. */
  readonly goal: object;
  /** Null = it has to be set. */
  readonly parameters: Readonly<Record<string, string | null>>;
}

export const templateLabel = ({ workspace, name }: Pick<KeptTemplate, 'workspace' | 'name'>) =>
  `${workspace}/${name}`;

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
  /** @returns null where the token has ended, or is not bound to it */
  template(name: string, label: string): Promise<KeptTemplate | null>;
  /** Who made it, who made that one, and so on; the settings' tokens have no maker. */
  makersOf(name: string): Promise<Maker[]>;
  /** Tells whether a valid token has one of these roles. */
  hasRole(roles: readonly Role[]): Promise<boolean>;
}
