import { Refusal } from '../../contract/failures.ts';
import type { NewGoal } from '../../contract/intake.ts';
import type { WorktreeBeginning } from '../../contract/worktrees.ts';
import { checkpointAt, noCheckpointText } from '../../record/mutation/rewind.ts';
import type { Executor } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';
import { originOf } from '../reads/in-sight.ts';
import { isLeftBehind, readCheckpoints } from './checkpoint-rows.ts';
import { forgottenOf } from './forgotten.ts';

type Begins = NonNullable<NewGoal['begins']>;

/**
 * The checkpoint with whose files a goal on this workspace begins.
 * @throws Refusal where the other goal worked elsewhere, is at work on that turn, or nobody keeps
 * what it had then
 */
export async function beginningOf(
  sql: Executor,
  keys: LedgerKeys,
  { goalId, turn }: Begins,
  workspace: string,
): Promise<WorktreeBeginning> {
  await assertSameWorkspace(sql, goalId, workspace);
  const over = (asked: Executor, ids: readonly string[]) => overOf(asked, keys, ids);
  if ((await forgottenOf(sql, [goalId], over)).length > 0) {
    const why = `${goalId} was cleared or is long over, so its files are kept no more: ${WITHOUT}`;
    throw new Refusal('not_found', why, { field: 'workspace.from.goalId' });
  }
  const refused = (code: 'not_found' | 'invalid_transition', why: string) =>
    new Refusal(code, `${goalId} ${why}`, { field: 'workspace.from.turn' });
  const [stored] = await sql<{ state: string }[]>`
    SELECT state FROM turn WHERE goal_id = ${goalId} AND turn = ${turn}`;
  if (turn > 0 && stored?.state !== 'settled')
    throw refused('invalid_transition', `is at work on turn ${turn}: name an earlier one, or wait`);
  const found = checkpointAt(await readCheckpoints(sql, keys, goalId), turn);
  if (found === null || (await isLeftBehind(sql, goalId, found, turn)))
    throw refused('not_found', `${noCheckpointText(turn)}; ${WITHOUT}`);
  return { goalId, checkpoint: found.name };
}

const WITHOUT = 'leave "from" out to begin with the last commit';

/** @throws Refusal */
async function assertSameWorkspace(
  sql: Executor,
  goalId: string,
  workspace: string,
): Promise<void> {
  const [place] = await sql<{ name: string }[]>`
    SELECT ${originOf(sql)} AS name FROM goal g WHERE g.goal_id = ${goalId}`;
  if (place?.name === workspace) return;
  throw new Refusal(
    'invalid_request',
    `${goalId} works on ${place?.name ?? 'nothing'}, and this goal on ${workspace}: name the same workspace`,
    { field: 'workspace.from.goalId', workspace: place?.name },
  );
}
