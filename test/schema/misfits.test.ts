import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { criterionSchema } from '../../schema/criteria.ts';
import { startGoalSchema } from '../../schema/goal.ts';
import { misfitsOf, tellMisfit } from '../../schema/misfits.ts';
import { repositoryFileSchema } from '../../schema/repository-file.ts';
import { newTriggerSchema } from '../../schema/trigger.ts';

const told = (schema: z.ZodType, value: unknown) =>
  misfitsOf(schema.safeParse(value).error ?? { issues: [] }).map((one) => tellMisfit(one, 'it'));

const thing = z.strictObject({
  name: z.string(),
  size: z.union([z.number(), z.strictObject({ most: z.number() })]).optional(),
  tags: z.record(z.string().regex(/^a/, 'begins with a'), z.number()).optional(),
  kind: z.discriminatedUnion('is', [z.strictObject({ is: z.literal('x') })]).optional(),
});

describe('API-61: what does not fit is told by its place', () => {
  test.each<[string, unknown, string[]]>([
    ['a missing field', {}, ['name: is missing']],
    ['a wrong type', { name: 1 }, ['name: expected string, received number']],
    ['another value altogether', 7, ['it: expected object, received number']],
    ['unknown fields', { name: '', b: 1, c: 1 }, ['b: unknown field', 'c: unknown field']],
    ['a key of another form', { name: '', tags: { b: 1 } }, ['tags.b: begins with a']],
    ['a kind that is none', { name: '', kind: { is: 'y' } }, ['kind.is: is of no known kind']],
    [
      'a union by its nearest branch',
      { name: '', size: { most: 1, least: 1 } },
      ['size.least: unknown field'],
    ],
    [
      'a union of which the value is no form',
      { name: '', size: { most: '1' } },
      ['size.most: expected number, received string'],
    ],
  ])('%s', (_, value, expected) => {
    expect(told(thing, value)).toEqual(expected);
  });

  it.each([
    ['a start', startGoalSchema],
    ['a trigger', newTriggerSchema],
    ['a criterion', criterionSchema],
    ["a repository's file", repositoryFileSchema],
  ])('says something of its own of whatever is no %s', (_, schema) => {
    const near = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('objective', 'criteria', 'kind', 'command', 'workspace', 'action', 'more'),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(near, (value) => {
        const lines = told(schema as z.ZodType, value);
        expect(lines.length > 0).toBe(!schema.safeParse(value).success);
        for (const line of lines) expect(line).not.toMatch(/Invalid input|Invalid key|: $/);
      }),
    );
  });
});
