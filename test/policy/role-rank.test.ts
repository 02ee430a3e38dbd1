import { describe, expect, test } from 'vitest';
import type { Role } from '../../schema/role.ts';
import { isAtLeast, lesserRole, speaksForPerson } from '../../src/policy/role-rank.ts';

const roles: readonly Role[] = ['viewer', 'agent', 'operator', 'admin'];

describe('each role may do what those before it may', () => {
  test.each(roles)('%s', (role) => {
    const reached = roles.filter((least) => isAtLeast(role, least));
    expect(reached).toEqual(roles.slice(0, roles.indexOf(role) + 1));
    expect(roles.map((other) => lesserRole(role, other))).toEqual(
      roles.map((other, index) => (index < roles.indexOf(role) ? other : role)),
    );
  });
});

test('operators and admins speak for a person, programs and viewers do not', () => {
  expect(roles.filter(speaksForPerson)).toEqual(['operator', 'admin']);
});
