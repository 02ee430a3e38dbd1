import { z } from 'zod';

/** One way to fill in an object: which fields it has, which it lacks, and what some of them hold. */
export interface Form<Field extends string> {
  readonly has?: readonly Field[];
  readonly lacks?: readonly Field[];
  readonly where?: Readonly<Partial<Record<Field, z.ZodType>>>;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * An object that takes one of the forms. The same forms judge it and stand in the OpenAPI document,
 * so that whatever is valid by the document is taken.
 *
 * @param issue what is said where none fits
 */
export function inForms<Schema extends z.ZodObject>(
  schema: Schema,
  forms: readonly Form<Extract<keyof Schema['shape'], string>>[],
  issue: { readonly message: string; readonly path?: readonly string[] },
): Schema {
  const { allOf = [] } = schema.meta() ?? {};
  return schema
    .refine((value) => forms.some((form) => fits(form, value as Given)), {
      message: issue.message,
      ...(issue.path === undefined ? {} : { path: [...issue.path] }),
    })
    .meta({ allOf: [...(allOf as unknown[]), { anyOf: forms.map(told) }] });
}

function fits({ has = [], lacks = [], where = {} }: Form<string>, value: Given): boolean {
  const given = (field: string) => value[field] !== undefined;
  const holds = ([field, schema]: readonly [string, z.ZodType | undefined]) =>
    !given(field) || schema?.safeParse(value[field]).success !== false;
  return has.every(given) && !lacks.some(given) && Object.entries(where).every(holds);
}

function told({ has = [], lacks = [], where = {} }: Form<string>): object {
  const absent = lacks.map((field) => [field, false] as const);
  const held = Object.entries(where).map(
    ([field, schema]) => [field, schema === undefined ? true : jsonOf(schema)] as const,
  );
  return {
    ...(has.length === 0 ? {} : { required: has }),
    ...(absent.length + held.length === 0
      ? {}
      : { properties: Object.fromEntries([...absent, ...held]) }),
  };
}

/** As the OpenAPI document has it. */
export function jsonOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

/** Exactly one of these fields. */
export const oneOfFields = <const Fields extends readonly string[]>(
  fields: Fields,
): Form<Fields[number]>[] =>
  fields.map((field) => ({ has: [field], lacks: fields.filter((other) => other !== field) }));
