import { z } from 'zod';
import { actorSchema, goalStatusSchema } from '../../schema/goal.ts';
import { outcomeSchema } from '../../schema/ledger.ts';

/**
 * What tools answer, as far as callers may rely on it. The service tells more, and a newer one tells
 * more than this one knows.
 */
export const goalAnswer = z.looseObject({
  goalId: z.string(),
  objective: z.string(),
  status: goalStatusSchema,
  revision: z.int().describe('Rises with each change'),
  activity: z.looseObject({
    state: z.enum(['running', 'waiting', 'idle']),
    reason: z.string(),
    actor: actorSchema.describe('Who has to act next'),
  }),
  pause: z.looseObject({ reason: z.string(), message: z.string() }).optional(),
  criteria: z.array(z.looseObject({ criterionId: z.string(), state: z.string() })),
  usage: z.looseObject({ turns: z.int() }),
  completion: z
    .looseObject({
      verification: z.string(),
      result: z.string(),
      changedFiles: z.array(z.string()),
    })
    .optional(),
  workspace: z.looseObject({ name: z.string(), path: z.string() }),
});

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });

export const goalPage = pageOf(goalAnswer);

export const workspacePage = pageOf(
  z.looseObject({
    name: z.string(),
    path: z.string(),
    leaseGoalId: z.string().nullable().describe('The goal that works there now'),
  }),
);

export const messageList = z.looseObject({
  items: z.array(
    z.looseObject({
      messageId: z.string(),
      text: z.string(),
      voice: z.enum(['person', 'agent']),
      state: z.enum(['waiting', 'read', 'taken_back']),
      turn: z.int().nullable().describe('The turn that read it'),
    }),
  ),
});

export const gateAnswer = z.looseObject({
  criteria: z.array(z.looseObject({ criterionId: z.string(), state: z.string() })),
});

export const ledgerPage = pageOf(
  z.looseObject({
    seq: z.int(),
    phase: z.enum(['started', 'settled']),
    tool: z.string(),
    outcome: outcomeSchema.optional(),
  }),
);
