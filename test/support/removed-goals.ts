import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadOwn } from '../../src/api/application.ts';
import type { RemovingGoals } from '../../src/api/retention/rounds.ts';
import { builtInRules } from '../../src/intake/service-rules.ts';
import { createRemovedGoals } from '../../src/store/retention/removed-goals.ts';
import { ageSeals } from './aged-seals.ts';
import { eventually } from './eventually.ts';
import { type GoalWorld, TOKENS } from './goal-world.ts';

/** A folder for archives, with the mark that says that it is one. */
export async function archiveFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-archive-'));
  await writeFile(join(folder, '.goalkeeper-archive'), '');
  return folder;
}

/** A goal that is over, as if that were forty days ago. */
export async function aged(world: GoalWorld, goalId: string): Promise<string> {
  await world.recorded(goalId);
  await world.database`UPDATE goal SET updated_at = updated_at - interval '40 days'
    WHERE goal_id = ${goalId}`;
  await ageSeals(world.database, goalId, 40);
  await eventually(async () => {
    const [row] = await world.database`SELECT why_goal_stays(${goalId}, 30) AS why`;
    if (row?.why !== null) throw new Error(`${goalId}: ${row?.why}`);
  });
  return goalId;
}

export const readOwnOf =
  (world: GoalWorld): ReadOwn =>
  async (path) => {
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const answer = await fetch(world.url + path, { headers });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };

/** What one look at goals that were over thirty days ago needs. */
export function removing(
  world: GoalWorld,
  archive: string,
  change: Partial<RemovingGoals> = {},
): RemovingGoals {
  const retention = { ...builtInRules.retention, goals: { complete: 30, cleared: null, archive } };
  return {
    ...{ readOwn: readOwnOf(world), log: { info: () => {}, warn: () => {} } },
    removedGoals: createRemovedGoals(world.store.sql, world.ledgerKeys, []),
    settings: { version: '1', rules: () => ({ ...builtInRules, retention }) } as never,
    ...change,
  };
}
