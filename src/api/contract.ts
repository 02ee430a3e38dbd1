import { z } from 'zod';
import { goalSchema, threadIdSchema } from '../../schema/goal.ts';
import { problemSchema } from '../../schema/problem.ts';
import { roleSchema } from '../../schema/role.ts';
import { wordSchema } from '../../schema/text.ts';
import type { OperationId } from './roles.ts';

export const goalParams = z.strictObject({ goalId: wordSchema(80) });
/** A thread from before its name was restricted can still be read. */
export const threadParams = z.strictObject({ threadId: wordSchema(120) });
export const newThreadParams = z.strictObject({ threadId: threadIdSchema });

export const scheduleParams = z.strictObject({ scheduleId: wordSchema(80) });

export const pageQuery = {
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

const ROLES = roleSchema.options.join('|');

/** What every operation takes beside its own headers; `goalkeeper-role` is read before all else. */
export const callerHeaders = z.looseObject({
  'goalkeeper-role': z
    .string()
    .regex(new RegExp(`^ *(?:${ROLES})(?: *, *(?:${ROLES}))* *$`), 'is a role')
    .optional()
    .describe('A lesser role to act as; several between commas all have to allow it'),
});

const keyedHeaders = callerHeaders.extend({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1–200 visible ASCII characters')
    .optional()
    .describe('A request that is sent again with the same key acts once and gets the same answer'),
});

/** An `If-Match` that names a revision must also agree with `expectedRevision`. */
const mutationHeaders = keyedHeaders.extend({
  'if-match': z
    .string()
    .regex(/^(?:\*|(?:W\/)?"\d{1,9}")$/, 'takes the ETag of the goal, such as "7", or *')
    .optional()
    .describe("The goal's revision, as its ETag says it"),
});

interface About {
  readonly tag: string;
  readonly summary: string;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201;
  /** The answer's media type; JSON by default. */
  readonly type?: string;
  /** Another one, of a text, where the request asks for it. */
  readonly alsoType?: string;
}

/** RFC 9457's own type: clients tell a refusal from an answer by it. */
const problem = {
  description: 'Refused, with a code and, where one is at fault, the field',
  content: { 'application/problem+json': { schema: problemSchema } },
};

const shapeOf = ({ answer, type, alsoType, summary }: About) => {
  if (type === undefined) return answer;
  const also = alsoType === undefined ? {} : { [alsoType]: { schema: z.string() } };
  return { description: summary, content: { [type]: { schema: answer }, ...also } };
};

interface OpenAbout extends Pick<About, 'tag' | 'summary'> {
  readonly answer?: z.ZodType;
  readonly status?: 200 | 202;
}

/** The schema of a route that needs no token. */
export function openOperation(
  operationId: string,
  { tag, summary, answer, status = 200 }: OpenAbout,
) {
  const done = answer === undefined ? { 204: z.null() } : { [status]: answer };
  const response: unknown = { ...done, default: problem };
  return { operationId, tags: [tag], summary, response };
}

/** The schema parts that every operation shares. */
export function operation(operationId: OperationId, about: About) {
  // The schema only documents the answer, because a replayed answer comes from the store.
  const response: unknown = { [about.status ?? 200]: shapeOf(about), default: problem };
  return {
    config: { operation: operationId },
    describe: {
      operationId,
      tags: [about.tag],
      summary: about.summary,
      security: [{ token: [] }],
      headers: callerHeaders,
      response,
    },
  };
}

/** The same for what is stored and done once, under a key. */
export function keyed(operationId: OperationId, about: About) {
  const { config, describe } = operation(operationId, about);
  return { config, describe: { ...describe, headers: keyedHeaders } };
}

/** The same for what changes a goal: stored, done once, and answered with the goal. */
export function mutation(operationId: OperationId, about: Omit<About, 'answer' | 'type'>) {
  const { config, describe } = operation(operationId, { ...about, answer: goalSchema });
  return { config, describe: { ...describe, headers: mutationHeaders } };
}
