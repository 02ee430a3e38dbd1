import { z } from 'zod';
import { timeZoneSchema } from '../../../schema/cadence.ts';
import { momentSchema } from '../../../schema/moment.ts';
import {
  alertsSchema,
  providerSchema,
  queueSchema,
  spendBySchema,
  spendSchema,
} from '../../../schema/operations.ts';
import { wholeSight } from '../../policy/sight.ts';
import type { Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { createChainWatch } from '../operations/chain-watch.ts';
import { type QueueNeeds, readQueues } from '../operations/queues.ts';
import { readAlerts } from '../operations/read-alerts.ts';
import { rangeOf } from '../range.ts';

/** A year and a day; hours of one month. */
const MOST_DAYS = 366;
const MOST_HOURS_DAYS = 31;
const MOST_PROVIDER_DAYS = 7;

const described = {
  queues: operation('listQueues', {
    tag: 'service',
    summary: 'What waits in the task queues, by Temporal’s own count',
    answer: pageOf(queueSchema),
  }),
  providers: operation('listProviders', {
    tag: 'service',
    summary: 'Model calls, their errors by kind, times and cost, by model',
    answer: pageOf(providerSchema),
  }),
  spend: operation('getSpend', {
    tag: 'service',
    summary: 'What all goals spent, exactly, by hour, day, model, workspace, principal or goal',
    answer: spendSchema,
  }),
  alerts: operation('listAlerts', {
    tag: 'service',
    summary: 'What is wrong or soon will be, and who acts next',
    answer: alertsSchema,
  }),
};

const spendQuery = z.strictObject({
  from: momentSchema.optional(),
  to: momentSchema.optional(),
  by: spendBySchema.default('day'),
  timeZone: timeZoneSchema.default('UTC'),
});

export const operationRoutes: Route<'anchors' | 'ledger' | 'reader' | QueueNeeds> = (
  application,
  ports,
) => {
  const { reader } = ports;
  const chains = createChainWatch(reader, ports.ledger);
  application.route({
    method: 'GET',
    url: '/v1/queues',
    config: described.queues.config,
    schema: described.queues.describe,
    handler: async () => ({ items: await readQueues(ports), nextCursor: null }),
  });
  application.route({
    method: 'GET',
    url: '/v1/providers',
    config: described.providers.config,
    schema: {
      ...described.providers.describe,
      querystring: z.strictObject({ from: momentSchema.optional() }),
    },
    handler: async ({ query }) => {
      const { from } = rangeOf({ from: query.from }, 1, MOST_PROVIDER_DAYS);
      return { items: await reader.providers(from), nextCursor: null };
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/spend',
    config: described.spend.config,
    schema: { ...described.spend.describe, querystring: spendQuery },
    handler: ({ query }) => {
      const { by, timeZone } = query;
      const range = rangeOf(query, 30, by === 'hour' ? MOST_HOURS_DAYS : MOST_DAYS);
      return reader.spend({ ...range, by, timeZone, sight: wholeSight });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/alerts',
    config: described.alerts.config,
    schema: described.alerts.describe,
    handler: () => readAlerts(ports, chains),
  });
};
