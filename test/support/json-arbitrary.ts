import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the service's document is written in. */
export interface JsonSchema {
  /** Any JSON: the document refers to nothing else in requests. */
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Texts that are valid in each format that the document names. */
export type Samples = Readonly<Record<string, readonly string[]>>;

/** Mostly what the schema admits; a validator has to judge the rest. */
export function arbitraryOf(schema: JsonSchema, samples: Samples): Arbitrary<unknown> {
  const key = JSON.stringify(schema);
  const known = made.get(key) ?? makeOf(schema, samples);
  made.set(key, known);
  return known;
}

const made = new Map<string, Arbitrary<unknown>>();

function makeOf(schema: JsonSchema, samples: Samples): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fc.jsonValue();
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map((one) => arbitraryOf(one, samples)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(
      ...schema.type.map((type: string) => arbitraryOf({ ...schema, type }, samples)),
    );
  }
  const { minimum: min = 0, maximum: max = Number.MAX_SAFE_INTEGER } = schema;
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'string':
      return textOf(schema, samples);
    case 'array':
      return listOf(schema, samples);
    case 'object':
      return objectOf(schema, samples);
    default:
      throw new Error(`no values are made for ${JSON.stringify(schema)}`);
  }
}

function listOf({ items = {}, minItems = 0, maxItems = 3 }: JsonSchema, samples: Samples) {
  const maxLength = Math.max(minItems, Math.min(maxItems, 3));
  return fc.array(arbitraryOf(items, samples), { minLength: minItems, maxLength });
}

/** One branch of each choice is taken, and its fields with it. */
function objectOf(schema: JsonSchema, samples: Samples): Arbitrary<unknown> {
  const choices = (schema.allOf ?? []).map(({ anyOf = [{}] }) => fc.constantFrom(...anyOf));
  return fc.tuple(...choices).chain((chosen) => {
    const fields = Object.entries(schema.properties ?? {}).flatMap(([name, own]) => {
      const told = chosen.map(({ properties = {} }) => properties[name] ?? {});
      const all = [own, ...told].filter((one) => typeof one === 'object');
      if (all.length <= told.length) return [];
      const patterns = all.filter(({ pattern }) => pattern !== undefined);
      const allOf = all.find((one) => one.allOf !== undefined)?.allOf ?? patterns;
      const narrowed: JsonSchema = Object.assign({}, ...all, { allOf });
      return [[name, arbitraryOf(narrowed, samples)] as const];
    });
    const named = new Set(fields.map(([name]) => name));
    const required = [schema, ...chosen].flatMap((one) => one.required ?? []);
    const own = fc.record(Object.fromEntries(fields), {
      requiredKeys: [...new Set(required)].filter((name) => named.has(name)),
      noNullPrototype: true,
    });
    return fc
      .tuple(furtherOf(schema, samples), own)
      .map(([further, one]) => ({ ...further, ...one }));
  });
}

/** Fields under names of the caller's own, where the schema has them. */
function furtherOf(schema: JsonSchema, samples: Samples): Arbitrary<object> {
  const { additionalProperties: held = false, propertyNames = {} } = schema;
  if (held === false) return fc.constant({});
  const isAny = held === true || Object.keys(held).length === 0;
  const value = isAny ? fc.jsonValue() : arbitraryOf(held, samples);
  const name = arbitraryOf({ ...propertyNames, type: 'string' }, samples);
  return fc.dictionary(name as Arbitrary<string>, value, { maxKeys: 3, noNullPrototype: true });
}

function textOf(schema: JsonSchema, samples: Samples): Arbitrary<string> {
  const {
    format,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    allOf = [],
    pattern,
  } = schema;
  const inFormat = format === undefined ? undefined : samples[format];
  if (inFormat !== undefined) return fc.constantFrom(...inFormat);
  const patterns = [pattern, ...allOf.map((one) => one.pattern)]
    .filter((one) => one !== undefined)
    .map((one) => new RegExp(one, 'u'));
  const isValid = (text: string) =>
    patterns.every((one) => one.test(text)) &&
    [...text].length >= minLength &&
    [...text].length <= maxLength;
  const matching = patterns.flatMap(({ source }) => ofPattern(source));
  return fc.oneof(...matching, free(minLength, Math.min(maxLength, 4000))).filter(isValid);
}

/** Edges of length beside plain text: a character may be two units of UTF-16. */
const free = (minLength: number, maxLength: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'binary', minLength, maxLength }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(' ', '.', '0', '1.50', 'a-1', '\0', '\u0085', '\ufeff'),
    },
    { weight: 1, arbitrary: fc.constant('😀'.repeat(maxLength)) },
  );

/** Looking ahead is known to no generator: it only judges. */
function ofPattern(source: string): Arbitrary<string>[] {
  if (/\\[pP]\{/.test(source)) return [];
  try {
    return [fc.stringMatching(new RegExp(source.replace(/\^\(\?[!=].*?\$?\)(?=[[\\])/, '^'), 'u'))];
  } catch {
    return [];
  }
}
