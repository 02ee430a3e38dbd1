import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Caller, roleSchema } from '../../schema/role.ts';
import {
  actingAs,
  sees,
  seesAll,
  seesWorkspace,
  sightOf,
  wholeSight,
} from '../../src/policy/sight.ts';

const caller = (more: Partial<Caller> = {}): Caller => ({
  ...{ role: 'operator', name: 'ann', workspaces: null, templates: null, expiresAt: null },
  ...more,
});

test.each([
  ['viewer', null],
  ['agent', 'ann'],
  ['operator', null],
  ['admin', null],
] as const)(
  'the role %s sees goals that %s started (null: everybody; WHO-9)',
  (role, startedBy) => {
    expect(sightOf(caller({ role }))).toEqual({ startedBy, workspaces: null });
    expect(sightOf(caller({ role, workspaces: ['shop'] }))).toEqual({
      ...{ startedBy, workspaces: ['shop'] },
    });
    expect(sightOf(caller({ role, seesOwn: true })).startedBy).toBe('ann');
  },
);

test('a goal is seen by who started it and by where it works, both of them (WHO-9)', () => {
  const ofAnn = { startedBy: 'ann', workspace: 'shop' };
  const own = { startedBy: 'ann', workspaces: ['shop', 'till'] };
  expect(sees(own, ofAnn)).toBe(true);
  expect(sees(own, { ...ofAnn, workspace: 'bank' })).toBe(false);
  expect(sees(own, { ...ofAnn, startedBy: 'bot' })).toBe(false);
  expect(sees({ ...own, startedBy: null }, { ...ofAnn, startedBy: 'bot' })).toBe(true);
  expect(sees(wholeSight, { startedBy: 'bot', workspace: 'bank' })).toBe(true);
  expect(seesWorkspace(own, 'till')).toBe(true);
  expect(seesWorkspace(own, 'bank')).toBe(false);
  expect(seesWorkspace(wholeSight, 'bank')).toBe(true);
});

test('all is seen by whom nothing bounds (WHO-9)', () => {
  expect(seesAll(wholeSight)).toBe(true);
  expect(seesAll({ startedBy: 'ann', workspaces: null })).toBe(false);
  expect(seesAll({ startedBy: null, workspaces: [] })).toBe(false);
});

test('who acts with another role has the lesser one, and what either sees alone (WHO-22)', () => {
  expect(actingAs(caller(), 'viewer')).toEqual(caller({ role: 'viewer' }));
  expect(actingAs(caller({ role: 'viewer' }), 'admin')).toEqual(caller({ role: 'viewer' }));
  expect(actingAs(caller(), 'agent')).toEqual(caller({ role: 'agent', seesOwn: true }));
  const roles = fc.constantFrom(...roleSchema.options);
  fc.assert(
    fc.property(roles, fc.array(roles, { minLength: 1, maxLength: 3 }), (role, acted) => {
      const last = acted.reduce(actingAs, caller({ role }));
      const isProgram = [role, ...acted].includes('agent');
      expect(sightOf(last).startedBy).toBe(isProgram ? 'ann' : null);
    }),
  );
});
