import { z } from 'zod';
import { threadIdSchema } from '../../schema/goal.ts';
import { problemSchema } from '../../schema/problem.ts';
import { wordSchema } from '../../schema/text.ts';
import type { OperationId } from './roles.ts';

export const goalParams = z.strictObject({ goalId: wordSchema(80) });
/** A thread from before its name was restricted can still be read. */
export const threadParams = z.strictObject({ threadId: wordSchema(120) });
export const newThreadParams = z.strictObject({ threadId: threadIdSchema });

export const pageQuery = {
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

interface About {
  readonly tag: string;
  readonly summary: string;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201;
  /** The answer's media type; JSON by default. */
  readonly type?: string;
}

/** RFC 9457's own type: clients tell a refusal from an answer by it. */
const problem = {
  description: 'Refused, with a code and, where one is at fault, the field',
  content: { 'application/problem+json': { schema: problemSchema } },
};

const shapeOf = ({ answer, type, summary }: About) =>
  type === undefined ? answer : { description: summary, content: { [type]: { schema: answer } } };

/** The schema of a route that needs no token. */
export function openOperation(
  operationId: string,
  { tag, summary, answer }: Pick<About, 'tag' | 'summary'> & { answer?: z.ZodType },
) {
  const done = answer === undefined ? { 204: z.null() } : { 200: answer };
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
      response,
    },
  };
}
