import type { Sight } from '../../contract/sight.ts';
import { seesAll } from '../../policy/sight.ts';
import type { Executor } from '../client.ts';

/** The rule of `sees` as a condition on goal `g`. */
export function inSight(db: Executor, sight: Sight) {
  const { startedBy, workspaces } = sight;
  if (seesAll(sight)) return db`true`;
  return db`(${startedBy === null ? db`true` : db`g.created_by = ${startedBy}`}
    AND ${workspaces === null ? db`true` : db`${originOf(db)} IN ${db([...workspaces])}`})`;
}

/** Whose each goal is and where it works, also of those that were removed: a table to name `g`. */
export const ownersOfGoals = (db: Executor) => db`(
  SELECT goal_id, created_by, workspace_name FROM goal
  UNION ALL SELECT goal_id, created_by, workspace FROM removed_goal)`;

/** A worktree belongs to the workspace that it was made from, a delegate's by way of its parent's. */
export const originOf = (db: Executor) => db`coalesce(
  (WITH RECURSIVE own AS (
    SELECT w.name, w.origin FROM workspace w WHERE w.name = g.workspace_name
    UNION SELECT w.name, w.origin FROM own JOIN workspace w ON w.name = own.origin
  ) SELECT own.name FROM own WHERE own.origin IS NULL), g.workspace_name)`;
