import { z } from 'zod';

export const roleSchema = z.enum(['viewer', 'agent', 'operator', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** The caller: a token's role and a stable name for it (never the token itself). */
export interface Principal {
  readonly role: Role;
  readonly name: string;
}
