import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { commandProblem, matchesWord, pathProblem } from '../../schema/glob.ts';
import { newTriggerSchema } from '../../schema/trigger.ts';
import { assertKeepable } from '../../src/api/keepable.ts';
import { buildServer } from '../../src/api/server.ts';
import { triggerIssue } from '../../src/intake/triggers/trigger-issue.ts';
import { createMemory, memoryPorts } from '../api/memory-ports.ts';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';
import { arbitraryOf, type JsonSchema } from '../support/json-arbitrary.ts';

const ajv = new Ajv2020({ strict: false });
for (const [name, samples] of Object.entries(FORMAT_SAMPLES)) {
  ajv.addFormat(name, (text) => samples.includes(text));
}
for (const known of ['date-time', 'byte', 'uri']) ajv.addFormat(known, true);

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: JsonSchema }>>;
  };
}

type Part = 'body' | 'querystring' | 'params' | 'headers';

const judges = new Map<string, Partial<Record<Part, z.ZodType>>>();
const operations: Operation[] = [];
let components: object = {};
const server = buildServer(memoryPorts(createMemory()));

beforeAll(async () => {
  server.addHook('onRoute', ({ schema }) => {
    const { operationId, body, querystring, params, headers } = (schema ?? {}) as Record<
      string,
      unknown
    >;
    if (operationId === undefined) return;
    judges.set(String(operationId), { body, querystring, params, headers } as never);
  });
  const document = (await server.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>;
    components: object;
  }>();
  components = document.components;
  operations.push(...Object.values(document.paths).flatMap((path) => Object.values(path)));
});

afterAll(() => server.close());

/** The parameters of one place as an object; numbers travel as text. */
function ofParameters({ parameters = [] }: Operation, place: string): JsonSchema {
  const own = parameters.filter((one) => one.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

const asSent = (value: unknown) =>
  Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      typeof one === 'number' ? String(one) : one,
    ]),
  );

function shapesOf(operation: Operation): [Part, JsonSchema][] {
  const body = operation.requestBody?.content['application/json']?.schema;
  return [
    ...(body === undefined ? [] : [['body', body] as [Part, JsonSchema]]),
    ['querystring', ofParameters(operation, 'query')],
    ['params', ofParameters(operation, 'path')],
    ['headers', ofParameters(operation, 'header')],
  ];
}

/** No schema forbids a name at any depth: API-19 does. */
const hasPrototype = (value: unknown): boolean => JSON.stringify(value)?.includes('"__proto__":');

describe('what is valid by the OpenAPI document', () => {
  test('API-12 is valid for the service: bodies, queries, paths and headers of every operation', () => {
    const seen = new Map<string, string>();
    for (const operation of operations) {
      for (const [part, schema] of shapesOf(operation)) {
        const judge = judges.get(operation.operationId)?.[part];
        if (judge === undefined) continue;
        const isValid = ajv.compile({ ...schema, components });
        const property = fc.property(arbitraryOf(schema, FORMAT_SAMPLES), (made) => {
          const value: unknown = JSON.parse(JSON.stringify(made));
          fc.pre(isValid(value) && !hasPrototype(value));
          assertKeepable(value);
          const { error } = judge.safeParse(part === 'body' ? value : asSent(value));
          if (error !== undefined) throw new Error(JSON.stringify(error.issues.slice(0, 2)));
        });
        const run = fc.check(property, { numRuns: 8, maxSkipsPerRun: 20 });
        if (run.failed) {
          seen.set(
            `${operation.operationId} ${part}`,
            `${run.counterexample === null ? 'too many skipped' : JSON.stringify(run.counterexample).slice(0, 300)} ${(run.errorInstance as Error | null)?.message ?? ''}`,
          );
        }
      }
    }
    expect(Object.fromEntries(seen)).toEqual({});
  });

  test('API-12 may be left out where nothing is a body that the service takes', () => {
    const optional = operations.filter(({ requestBody }) => requestBody?.required === false);
    expect(optional.length).toBeGreaterThan(5);
    const refused = optional.filter(
      ({ operationId }) => judges.get(operationId)?.body?.safeParse({}).success !== true,
    );
    expect(refused.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('TRIG-47 is a trigger that can do what it says', () => {
    const create = operations.find(({ operationId }) => operationId === 'createTrigger');
    const schema = create?.requestBody?.content['application/json']?.schema ?? {};
    const isValid = ajv.compile({ ...schema, components });
    fc.assert(
      fc.property(arbitraryOf(schema, FORMAT_SAMPLES), (made) => {
        const value: unknown = JSON.parse(JSON.stringify(made));
        // A name in such brackets is a parameter's.
        fc.pre(isValid(value) && !JSON.stringify(value).includes('{{'));
        expect(triggerIssue(newTriggerSchema.parse(value))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  test('API-12 has samples for the named formats that the service itself takes', () => {
    expect(FORMAT_SAMPLES['path-glob']?.map((glob) => pathProblem(glob.trim()))).toEqual(
      Array(5).fill(null),
    );
    expect(FORMAT_SAMPLES['command-glob']?.map(commandProblem)).toEqual(Array(3).fill(null));
    expect(
      FORMAT_SAMPLES['tool-glob-of-run-command']?.every((glob) => matchesWord(glob, 'run_command')),
    ).toBe(true);
  });

  test('API-58 bears patterns that other languages read as it does: NUL and blanks are spelled out', () => {
    const patterns = new Set<string>();
    JSON.stringify(operations, (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(20);
    expect([...patterns].filter((pattern) => /\\[0sS]/.test(pattern))).toEqual([]);
  });
});
