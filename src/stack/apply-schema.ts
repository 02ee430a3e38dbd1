import { type DatabaseUsers, grantRoles } from './database-roles.ts';
import { findCutLedgers } from './integrity.ts';
import { migrate } from './migrations.ts';

/**
 * Brings the database to this version's schema by its owner, and gives the other users what they
 * need there. Two processes may do it at once, and one that was killed leaves nothing half done.
 * @returns the names of the migrations that were applied now
 * @throws MigrationError
 */
export async function applySchema(
  users: DatabaseUsers,
  onProgress: (message: string) => void,
): Promise<string[]> {
  const applied = await migrate(users.owner);
  const newest = applied.at(-1);
  if (newest !== undefined) onProgress(`Applied ${applied.length} migrations, up to ${newest}`);
  if (users.owner !== users.writer) await grantRoles(users);
  return applied;
}

/** Ledgers that don't end as their journal says are told; they keep nothing from starting. */
export async function tellCutLedgers(
  { owner }: DatabaseUsers,
  onProgress: (message: string) => void,
): Promise<void> {
  for (const goalId of await findCutLedgers(owner)) {
    onProgress(`The ledger of goal ${goalId} is cut: goalkeeper ledger verify ${goalId}`);
  }
}
