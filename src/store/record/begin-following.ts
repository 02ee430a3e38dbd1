import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/failures.ts';
import type { NewGoal } from '../../contract/intake.ts';
import { type Database, isRowsFault, type Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { isOfEndedToken } from '../intake/ended-token.ts';
import { insertGoal } from '../intake/insert-goal.ts';
import { assertUnaltered } from '../ledger/altered-goal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { archive, lockThread } from './archive.ts';
import { lockGoal } from './goal-state.ts';
import { handConversation } from './hand-conversation.ts';

/** One goal has one that comes right after it, whoever tries to begin that how often. */
const followingIdOf = (goalId: string): string => `g-${digest(`${goalId} followed`)}`;

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Begins what comes after goals that are complete, each in one transaction with the end of the goal
 * before in its thread; whatever starts accepted goals starts these.
 * @returns the goals that changed
 */
export async function beginFollowing(db: Database, keys: LedgerKeys): Promise<string[]> {
  const due = await db<Row<'goal', 'goal_id' | 'thread_id'>[]>`
    SELECT goal_id, thread_id FROM following_goals JOIN goal USING (goal_id)
    WHERE begun_goal_id IS NULL AND refused IS NULL AND status = 'complete' LIMIT 100`;
  const changed: string[] = [];
  for (const { goal_id: goalId, thread_id: threadId } of due) {
    try {
      const begun = await db.begin((tx) => begin(tx, keys, { goalId, threadId }));
      if (begun !== null) changed.push(goalId, begun);
    } catch (error) {
      if (!(error instanceof Refusal) && !isRowsFault(error)) throw error;
      const why = error instanceof Refusal ? error.message : UNREADABLE;
      await db.begin((tx) => keepRefusal(tx, goalId, why));
      changed.push(goalId);
    }
  }
  return changed;
}

const UNREADABLE =
  'What is stored of the goal, or of what comes after it, cannot be read: somebody changed the database. Start it by hand.';

interface Before {
  readonly goalId: string;
  readonly threadId: string;
}

type Due = Row<'following_goals', 'goals'> &
  Row<'goal', 'created_by' | 'created_by_role'> & { readonly hasEnded: boolean };

/** @throws Refusal */
async function begin(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, threadId }: Before,
): Promise<string | null> {
  await lockThread(tx, threadId);
  await lockGoal(tx, goalId);
  const [due] = await tx<Due[]>`
    SELECT f.goals, g.created_by, g.created_by_role,
      (SELECT ${isOfEndedToken(tx)} FROM (SELECT g.created_by AS ordered_by) o) AS "hasEnded"
    FROM following_goals f JOIN goal g USING (goal_id)
    WHERE goal_id = ${goalId} AND begun_goal_id IS NULL AND refused IS NULL FOR UPDATE OF f`;
  const [first, ...rest] = due?.goals ?? [];
  if (due === undefined || first === undefined) return null;
  if (due.hasEnded)
    throw new Refusal('unauthorized', `The token ${due.created_by} has ended: it starts nothing.`);
  await assertUnaltered(tx, keys, goalId);
  const begun = followingIdOf(goalId);
  const continues = first.continuesThread === true ? goalId : null;
  const goal: NewGoal & { continues: string | null } = {
    ...first,
    goalId: begun,
    threadId: await slotFor(tx, keys, { goalId, threadId }, begun),
    continues,
    following: rest,
  };
  await insertGoal(tx, keys, { name: due.created_by, role: due.created_by_role }, goal);
  if (continues !== null) await handConversation(tx, keys, continues, begun);
  await tx`
    UPDATE following_goals SET begun_goal_id = ${begun} WHERE goal_id = ${goalId}`;
  await appendEvents(tx, goalId, [{ type: 'goal.followed', data: { goalId: begun } }]);
  return begun;
}

/** The thread of the goal before; a thread of its own where somebody else's goal took that one. */
async function slotFor(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, threadId }: Before,
  following: string,
): Promise<string> {
  const [current] = await tx<Row<'goal', 'goal_id'>[]>`
    SELECT goal_id FROM goal WHERE thread_id = ${threadId} AND archived_at IS NULL`;
  if (current !== undefined && current.goal_id !== goalId) return `t-${digest(following)}`;
  if (current !== undefined) await archive(tx, keys, goalId, following);
  return threadId;
}

async function keepRefusal(tx: Transaction, goalId: string, why: string): Promise<void> {
  const kept = await tx`
    UPDATE following_goals SET refused = ${why}
    WHERE goal_id = ${goalId} AND begun_goal_id IS NULL AND refused IS NULL`;
  if (kept.count === 0) return;
  await appendEvents(tx, goalId, [{ type: 'goal.following_refused', data: { why } }]);
}
