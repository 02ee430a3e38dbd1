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

/** A worktree belongs to the workspace that it was made from. */
export const originOf = (db: Executor) => db`coalesce(
  (SELECT own.origin FROM workspace own WHERE own.name = g.workspace_name), g.workspace_name)`;
