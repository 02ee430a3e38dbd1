import { z } from 'zod';
import { timeZoneSchema } from '../../../schema/cadence.ts';
import { momentSchema } from '../../../schema/moment.ts';
import { spendBySchema, spendSchema } from '../../../schema/operations.ts';
import { type SpendStanding, spendStandingSchema } from '../../../schema/spend.ts';
import type { StandingLimit } from '../../contract/spend.ts';
import { seesLimit } from '../../policy/sees-limit.ts';
import { sightOf } from '../../policy/sight.ts';
import { fillOf } from '../../record/budget/spend-limits.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { rangeOf } from '../range.ts';

/** A year and a day; hours of one month. */
const MOST_DAYS = 366;
const MOST_HOURS_DAYS = 31;

const described = {
  costs: operation('getCosts', {
    tag: 'service',
    summary:
      'What the goals that you see spent, exactly, by time, model, workspace, principal or goal',
    answer: spendSchema,
  }),
  limits: operation('listSpendLimits', {
    tag: 'service',
    summary: 'The spend limits that hold for you, and how full they are in the period that runs',
    answer: pageOf(spendStandingSchema),
  }),
};

const querystring = z.strictObject({
  from: momentSchema.optional(),
  to: momentSchema.optional(),
  by: spendBySchema.default('day'),
  timeZone: timeZoneSchema.default('UTC'),
});

export const costRoutes: Route<'reader' | 'settings'> = (application, { reader, settings }) => {
  application.route({
    method: 'GET',
    url: '/v1/costs',
    config: described.costs.config,
    schema: { ...described.costs.describe, querystring },
    handler: (request) => {
      const { by, timeZone, ...asked } = request.query;
      const range = rangeOf(asked, 30, by === 'hour' ? MOST_HOURS_DAYS : MOST_DAYS);
      return reader.spend({ ...range, by, timeZone, sight: sightOf(principalOf(request)) });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/costs/limits',
    config: described.limits.config,
    schema: described.limits.describe,
    handler: async (request) => {
      const caller = principalOf(request);
      const standing = await reader.standingLimits(settings.rules().spend);
      const items = standing.filter((one) => seesLimit(caller, one)).map(shown);
      return { items, nextCursor: null };
    },
  });
};

const shown = (standing: StandingLimit): SpendStanding => {
  const { limit, subject, from, to, costUsd, tokens, heldUsd, heldTokens } = standing;
  const { of, per, timeZone, costUsd: mostUsd, tokens: mostTokens } = limit;
  return {
    ...{ of, name: subject, per, timeZone, from, to },
    ...{ costUsd, tokens, heldUsd, heldTokens, mostUsd, mostTokens },
    fill: fillOf(standing),
  };
};
