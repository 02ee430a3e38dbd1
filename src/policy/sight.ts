import type { Caller } from '../../schema/role.ts';
import type { Owned, Sight } from '../contract/sight.ts';
import { speaksForPerson } from './role-rank.ts';

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
