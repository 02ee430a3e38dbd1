import type { Caller } from '../../schema/role.ts';
import { speaksForPerson } from './role-rank.ts';

/** The goals that exist for a caller. Everything else is answered as if it were not there. */
export interface Sight {
  /** Only goals that this principal started, with their delegates; null = of everybody. */
  readonly startedBy: string | null;
  /** Only goals in these workspaces; null = in all. */
  readonly workspaces: readonly string[] | null;
}

export interface Owned {
  readonly startedBy: string;
  /** The workspace that a worktree was made from counts as its own. */
  readonly workspace: string;
}

export const wholeSight: Sight = { startedBy: null, workspaces: null };

/** Programs that act for models see what they started; people see all of their workspaces. */
export function sightOf({ role, name, workspaces }: Caller): Sight {
  const isPersons = speaksForPerson(role) || role === 'viewer';
  return { startedBy: isPersons ? null : name, workspaces };
}

export const seesAll = ({ startedBy, workspaces }: Sight): boolean =>
  startedBy === null && workspaces === null;

export const seesWorkspace = ({ workspaces }: Sight, name: string): boolean =>
  workspaces === null || workspaces.includes(name);

export const sees = (sight: Sight, { startedBy, workspace }: Owned): boolean =>
  (sight.startedBy === null || sight.startedBy === startedBy) && seesWorkspace(sight, workspace);
