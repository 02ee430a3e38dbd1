import { z } from 'zod';

type Told = Record<string, unknown>;

interface Place {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** What a schema says of itself beside its type: its words, and the forms that it takes. */
export function describeSchema({ zodSchema, jsonSchema }: Place): void {
  const { id: _, ...told } = z.globalRegistry.get(zodSchema) ?? {};
  Object.assign(jsonSchema, told);
  // What JSON can't hold is left out of unions and is null where it is all.
  if (zodSchema._zod.def.type === 'union' && jsonSchema.anyOf !== undefined) {
    jsonSchema.anyOf = jsonSchema.anyOf.filter((branch) => Object.keys(branch).length > 0);
  }
  if (zodSchema._zod.def.type === 'undefined') jsonSchema.type = 'null';
}

const WITHOUT_NUL = '^[^\\u0000]*$';

const KEPT_JSON = { $ref: '#/components/schemas/KeptJson' } as const;
const KEPT_KEYS = { pattern: WITHOUT_NUL } as const;

/** Any JSON without NUL in its texts and keys, which requests refer to. */
const keptJsonSchema = {
  anyOf: [
    { type: 'string', pattern: WITHOUT_NUL },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array', items: KEPT_JSON },
    { type: 'object', propertyNames: KEPT_KEYS, additionalProperties: KEPT_JSON },
  ],
} as const;

interface Operation {
  readonly parameters?: readonly { readonly schema?: unknown }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema?: unknown }>> };
}

/** Text that a caller sends holds no NUL, which the record can't keep. */
export function withKeptText<
  Document extends { readonly paths?: object; readonly components?: { schemas?: object } },
>(document: Document): Document {
  Object.assign(document.components?.schemas ?? {}, { KeptJson: keptJsonSchema });
  for (const path of Object.values(document.paths ?? {}) as object[]) {
    for (const { parameters = [], requestBody } of Object.values(path) as Operation[]) {
      for (const { schema } of parameters) tellKept(schema);
      for (const { schema } of Object.values(requestBody?.content ?? {})) tellKept(schema);
    }
  }
  return document;
}

/** A text with a pattern or a list of its own leaves NUL out there. */
function tellKept(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const told = schema as Told;
  if (Object.keys(told).length === 0) Object.assign(told, KEPT_JSON);
  if (typeof told.additionalProperties === 'object') {
    told.propertyNames = { type: 'string', ...(told.propertyNames as object | undefined) };
    tellKept(told.propertyNames);
  }
  const isFree = ['pattern', 'enum', 'const', 'allOf'].every((key) => !(key in told));
  if ([told.type].flat().includes('string') && isFree) told.pattern = WITHOUT_NUL;
  const { items, additionalProperties, anyOf, oneOf, properties } = told;
  const branches = [anyOf, oneOf].flatMap((some) => (Array.isArray(some) ? some : []));
  const fields = Object.values((properties as object | undefined) ?? {});
  for (const inner of [items, additionalProperties, ...branches, ...fields]) tellKept(inner);
}
