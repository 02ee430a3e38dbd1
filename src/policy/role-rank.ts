import type { Role } from '../../schema/role.ts';

const rank: Readonly<Record<Role, number>> = { viewer: 0, agent: 1, operator: 2, admin: 3 };

export const isAtLeast = (role: Role, least: Role): boolean => rank[role] >= rank[least];

export const lesserRole = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);

/** Operators and admins decide in a person's name; agents do not. */
export const speaksForPerson = (role: Role): boolean => isAtLeast(role, 'operator');
