import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Caller, roleSchema } from '../../schema/role.ts';
import { may } from '../../src/api/may.ts';
import { aboutOf, LEAST_ROLES, type OperationId } from '../../src/api/roles.ts';
import { buildServer } from '../../src/api/server.ts';
import { actingAs, sees, sightOf } from '../../src/policy/sight.ts';
import { createMemory, memoryPorts } from './memory-ports.ts';

const operations = Object.keys(LEAST_ROLES) as OperationId[];
const places = fc.constantFrom('shop', 'till', 'bank');
const callers: fc.Arbitrary<Caller> = fc.record({
  role: fc.constantFrom(...roleSchema.options),
  name: fc.constantFrom('ann', 'bot'),
  workspaces: fc.option(fc.uniqueArray(places)),
  templates: fc.option(fc.constant(['shop/fix'])),
  expiresAt: fc.constant(null),
});
const goals = fc.record({ startedBy: fc.constantFrom('ann', 'bot', 'joe'), workspace: places });

describe('the rule of who may do what', () => {
  test('lets no program at a goal of another, and nobody at one in another workspace (WHO-9)', () => {
    fc.assert(
      fc.property(callers, fc.constantFrom(...operations), goals, (caller, operation, subject) => {
        if (may(caller, operation, subject) !== 'yes') return;
        expect(caller.role !== 'agent' || caller.name === subject.startedBy).toBe(true);
        expect(caller.workspaces?.includes(subject.workspace) ?? true).toBe(true);
      }),
    );
  });

  test('lets whoever is bound do less, never more (WHO-9)', () => {
    fc.assert(
      fc.property(callers, fc.constantFrom(...operations), goals, (caller, operation, subject) => {
        if (may(caller, operation, subject) !== 'yes') return;
        expect(may({ ...caller, workspaces: null }, operation, subject)).toBe('yes');
        expect(may({ ...caller, templates: null }, operation, subject)).toBe('yes');
      }),
    );
  });

  test('lets a token that is bound to templates start by these, look and pause, and nothing else (WHO-50)', () => {
    const bound = { role: 'admin', name: 'ann', workspaces: null, expiresAt: null } as const;
    const caller: Caller = { ...bound, templates: ['shop/fix'] };
    const beyondLooking = operations.filter(
      (one) => LEAST_ROLES[one] !== 'viewer' && may(caller, one, null) === 'yes',
    );
    expect(beyondLooking).toEqual(['pauseGoal', 'startFromTemplate']);
    expect(may({ ...caller, role: 'viewer' }, 'startFromTemplate', null)).toBe('role');
  });

  test('lets whoever acts as something else do less and see less, never more (WHO-22)', () => {
    const roles = fc.constantFrom(...roleSchema.options);
    fc.assert(
      fc.property(
        callers,
        fc.array(roles, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...operations),
        fc.option(goals),
        (caller, acted, operation, subject) => {
          const acting = acted.reduce(actingAs, caller);
          if (may(acting, operation, subject) !== 'yes') return;
          expect(may(caller, operation, subject)).toBe('yes');
          if (subject !== null) expect(sees(sightOf(caller), subject)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('a route that declares no operation, or one about something else, serves nobody (WHO-9)', () => {
  const server = () => buildServer(memoryPorts(createMemory()));
  const route = (url: string, config: object) => () =>
    server().route({ method: 'GET', url, config, handler: async () => 'secret' });
  expect(route('/v1/new', {})).toThrow('/v1/new declares no operation');
  expect(route('/v1/goals/:goalId/new', { operation: 'listModels' })).toThrow('different things');
  expect(route('/v1/new', { operation: 'getGoal' })).toThrow('different things');
  expect(route('/v1/goals/:goalId/new', { operation: 'getTodos' })).not.toThrow();
  expect(aboutOf('getTodos')).toBe('goal');
});
