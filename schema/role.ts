import { z } from 'zod';

export const roleSchema = z.enum(['viewer', 'agent', 'operator', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** The caller: a token's role and a stable name for it (never the token itself). */
export interface Principal {
  readonly role: Role;
  readonly name: string;
}

/** A principal as its token or session made it, with what bounds it. */
export interface Caller extends Principal {
  /** Names of the workspaces that it is bound to; null = all. */
  readonly workspaces: readonly string[] | null;
  /** `WORKSPACE/TEMPLATE`: it starts goals from these and steers none; null = it is bound to none. */
  readonly templates: readonly string[] | null;
  /** null = never on its own. */
  readonly expiresAt: string | null;
  /** Whatever it acts as, only what it started exists for it. */
  readonly seesOwn?: true;
  /** A trigger speaks by its owner's rights, and never with a person's voice. */
  readonly isTrigger?: true;
}
