import { z } from 'zod';
import {
  actorSchema,
  goalSchema,
  goalStatusSchema,
  pauseReasonSchema,
} from '../../../schema/goal.ts';
import { wordSchema } from '../../../schema/text.ts';
import type { GoalFilter } from '../../contract/reads.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf, pageQuery } from '../contract.ts';

const { config, describe } = operation('listGoals', {
  tag: 'goals',
  summary: 'Goals, in pages, sorted, grouped by who acts next if asked for',
  answer: pageOf(goalSchema),
});

/** `?status=active,paused` and `?status=active&status=paused` say the same. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .preprocess(
      (value) =>
        value === undefined ? undefined : [value].flat().flatMap((part) => String(part).split(',')),
      z.array(item).optional(),
    )
    .optional();

const querystring = z.strictObject({
  status: listOf(goalStatusSchema),
  actor: listOf(actorSchema),
  q: wordSchema(200).optional(),
  workspace: wordSchema(120).optional(),
  model: wordSchema(200).optional().describe('As goals name it'),
  reason: listOf(pauseReasonSchema).describe('Paused for one of these'),
  since: z.iso.datetime({ offset: true }).optional().describe('Started at this time or later'),
  sort: z.enum(['newest', 'oldest', 'updated', 'waiting', 'limit', 'cost']).default('newest'),
  group: z.enum(['actor', 'none']).default('none'),
  archived: z.enum(['true', 'false']).default('false'),
  ...pageQuery,
});

export const listGoalsRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals',
    config,
    schema: { ...describe, querystring },
    handler: (request) =>
      ports.reader.goals({
        ...withoutAbsent(request.query),
        sight: sightOf(principalOf(request)),
      }),
  });
};

function withoutAbsent(query: z.infer<typeof querystring>): Omit<GoalFilter, 'sight'> {
  const { sort, group, archived, limit, ...optional } = query;
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { sort, group, archived: archived === 'true', limit, ...Object.fromEntries(present) };
}
