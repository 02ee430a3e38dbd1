import type { Caller, Role } from '../../schema/role.ts';
import type { Owned, Sight } from '../contract/sight.ts';
import { lesserRole, speaksForPerson } from './role-rank.ts';

export const wholeSight: Sight = { startedBy: null, workspaces: null };

/** Programs that act for models see what they started; people see all of their workspaces. */
export const sightOf = (caller: Caller): Sight => ({
  startedBy: seesOwnAlone(caller) ? caller.name : null,
  workspaces: caller.workspaces,
});

const seesOwnAlone = ({ role, seesOwn }: Pick<Caller, 'role' | 'seesOwn'>): boolean =>
  seesOwn === true || !(speaksForPerson(role) || role === 'viewer');

/** A caller that acts with this role: it may what both may, and sees what both see. */
export function actingAs(caller: Caller, asked: Role): Caller {
  const role = lesserRole(caller.role, asked);
  const isNarrow = seesOwnAlone(caller) || seesOwnAlone({ role: asked });
  return { ...caller, role, ...(isNarrow && { seesOwn: true }) };
}

export const seesAll = ({ startedBy, workspaces }: Sight): boolean =>
  startedBy === null && workspaces === null;

export const seesWorkspace = ({ workspaces }: Sight, name: string): boolean =>
  workspaces === null || workspaces.includes(name);

export const sees = (sight: Sight, { startedBy, workspace }: Owned): boolean =>
  (sight.startedBy === null || sight.startedBy === startedBy) && seesWorkspace(sight, workspace);
