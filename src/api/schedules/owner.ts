import type { Caller } from '../../../schema/role.ts';
import type { MadeSchedule } from '../../contract/schedules.ts';
import { actingAs } from '../../policy/sight.ts';
import type { Tokens } from '../tokens.ts';

/** Whoever made it, with the rights of now; null once its token has ended. */
export async function ownerNow(
  tokens: Pick<Tokens, 'principalNamed'>,
  { owner, role, seesOwn }: Pick<MadeSchedule, 'owner' | 'role' | 'seesOwn'>,
): Promise<Caller | null> {
  const known = await tokens.principalNamed(owner);
  if (known === null) return null;
  return { ...actingAs(known, role), ...(seesOwn && { seesOwn: true as const }) };
}
