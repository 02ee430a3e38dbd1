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

/** A worktree belongs to the workspace that it was made from, a delegate's by way of its parent's. */
export const originOf = (db: Executor) => db`coalesce(
  (WITH RECURSIVE own AS (
    SELECT w.name, w.origin FROM workspace w WHERE w.name = g.workspace_name
    UNION SELECT w.name, w.origin FROM own JOIN workspace w ON w.name = own.origin
  ) SELECT own.name FROM own WHERE own.origin IS NULL), g.workspace_name)`;
