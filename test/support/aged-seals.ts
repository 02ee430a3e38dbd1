import type { Database } from '../../src/store/client.ts';

/** As if a goal had come to where it stands so many days earlier: its seals say so, too. */
export async function ageSeals(db: Database, goalId: string, days: number): Promise<void> {
  await db.begin(async (tx) => {
    await tx`ALTER TABLE row_seal DISABLE TRIGGER row_seal_append_only`;
    await tx`UPDATE row_seal SET sealed_at = now() - make_interval(days => ${days}, hours => 1)
      WHERE kind = 'state' AND subject = ${goalId}`;
    await tx`ALTER TABLE row_seal ENABLE TRIGGER row_seal_append_only`;
  });
}
