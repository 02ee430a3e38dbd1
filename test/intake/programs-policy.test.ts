import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type PolicyInput, policyInputSchema } from '../../schema/policy.ts';
import { defaultPolicy, resolvePolicy } from '../../src/goal/defaults.ts';
import { loosened, PROGRAMS_FIELDS } from '../../src/intake/programs-policy.ts';
import { arbitraryOf, type JsonSchema, type Samples } from '../support/json-arbitrary.ts';

const SAMPLES: Samples = {
  domain: ['example.org'],
  'path-glob': ['src/**'],
  'command-glob': ['git push'],
  'tool-glob-of-run-command': ['run_command'],
};

const schema = z.toJSONSchema(policyInputSchema, { io: 'input' }) as JsonSchema & {
  readonly properties: Readonly<Record<string, JsonSchema & { properties?: object }>>;
};
const fields = Object.entries(schema.properties).flatMap(([field, { properties }]) =>
  field === 'continuation'
    ? Object.keys(properties ?? {}).map((inner) => `continuation.${inner}`)
    : [field],
);

/** What a person has to say: who is waited for, and two numbers of which neither side is stricter. */
const PERSONS = [
  'approvalTimeoutSeconds',
  'continuation.delayMaxSeconds',
  'continuation.fallbackSeconds',
  'continuation.warnAt',
  'questionDefault',
  'questionTimeoutSeconds',
];

function policyWith(field: string, value: unknown): PolicyInput {
  const [outer = '', inner] = field.split('.');
  return { [outer]: inner === undefined ? value : { [inner]: value } } as PolicyInput;
}

const defaultOf = (field: string): unknown => {
  const [outer = '', inner] = field.split('.');
  const own = (defaultPolicy as unknown as Record<string, unknown>)[outer];
  return inner === undefined ? own : (own as Record<string, unknown>)[inner];
};

describe('what a program may ask of a policy', () => {
  test('ROLE-1 each field of the schema is a row of the table, or a person’s', () => {
    expect(fields.toSorted()).toEqual([...PROGRAMS_FIELDS, ...PERSONS].toSorted());
  });

  test('ROLE-1 whatever a field without a row is set to, a program is refused with its name', () => {
    for (const field of PERSONS) {
      const own = field
        .split('.')
        .reduce<JsonSchema>(
          (inner, name) =>
            (inner as { properties: Record<string, JsonSchema> }).properties[name] ?? {},
          schema,
        );
      fc.assert(
        fc.property(arbitraryOf(own, SAMPLES), (value) => {
          fc.pre(value !== null && value !== undefined && value !== defaultOf(field));
          expect(loosened(policyWith(field, value), defaultPolicy)).toBe(field);
        }),
        { numRuns: 20 },
      );
    }
  });

  test('ROLE-2 the policy of the service, in whole or in parts, is never looser than itself', () => {
    expect(loosened(defaultPolicy, defaultPolicy)).toBeNull();
    for (const field of fields) {
      const own = defaultOf(field);
      if (own !== undefined) expect(loosened(policyWith(field, own), defaultPolicy)).toBeNull();
    }
  });

  test('ROLE-2 of two numbers that differ, one is stricter: what is allowed there is refused back', () => {
    const numbers = PROGRAMS_FIELDS.filter((field) => typeof defaultOf(field) === 'number');
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.nat(100_000), fc.nat(100_000), (field, a, b) => {
        fc.pre(a !== b);
        const [asked, base] = [policyWith(field, a), policyWith(field, b)];
        const there = loosened(asked, resolvePolicy(base)) === null;
        const back = loosened(base, resolvePolicy(asked)) === null;
        expect(there).toBe(!back);
      }),
    );
  });

  test.each<[PolicyInput, string | null]>([
    [{ completion: 'supported' }, 'completion'],
    [{ proof: 'workspace' }, 'proof'],
    [{ dependencies: 'allow' }, 'dependencies'],
    [{ dependencies: 'ask', coverage: 'all', onUnknown: 'ask', felt: { share: 1 } }, null],
    [{ continuation: { chainLength: 1000 } }, 'continuation.chainLength'],
    [{ continuation: { chainTokens: 0 } }, 'continuation.chainTokens'],
    [{ continuation: { chainTokens: 1000, chainLength: 1, enabled: false } }, null],
    [{ continuation: { chainLength: 1, toolErrors: 99 } }, 'continuation.toolErrors'],
    [{ sandbox: { network: 'none' } }, null],
    [{ sandbox: { network: { domains: ['example.org'] } } }, 'sandbox.network'],
    [{ tools: [{ tool: '*', decision: 'ask' }] }, null],
    [{ tools: [{ tool: 'read_file', decision: 'allow' }] }, 'tools.0'],
    [{ questionDefault: null }, null],
  ])('ROLE-3 %j is refused at %s', (policy, field) => {
    expect(loosened(policy, defaultPolicy)).toBe(field);
  });
});
