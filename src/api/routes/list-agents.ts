import { z } from 'zod';
import { agentNameSchema } from '../../../schema/agents.ts';
import type { Route } from '../application.ts';
import { operation } from '../contract.ts';

const { config, describe } = operation('listAgents', {
  tag: 'service',
  summary: 'The agents of the settings, each of which can work on a goal instead of the own loop',
  answer: z.object({
    items: z.array(
      z.object({
        agent: agentNameSchema,
        /** Without it tokens and money of its goals can't be limited. */
        reportsUsage: z.boolean(),
      }),
    ),
    nextCursor: z.null(),
  }),
});

/** Names alone: commands and variables of agents are the operator's. */
export const listAgentsRoute: Route<'settings'> = (application, { settings }) => {
  application.route({
    method: 'GET',
    url: '/v1/agents',
    config,
    schema: describe,
    handler: async () => ({
      items: Object.entries(settings.agents)
        .map(([agent, { reportsUsage = false }]) => ({ agent, reportsUsage }))
        .sort((one, other) => (one.agent < other.agent ? -1 : 1)),
      nextCursor: null,
    }),
  });
};
