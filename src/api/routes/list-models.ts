import { z } from 'zod';
import { estimateSchema } from '../../../schema/estimate.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Ports, Route } from '../application.ts';
import { operation } from '../contract.ts';
import { pricesOf } from '../prices-of.ts';

const { config, describe } = operation('listModels', {
  tag: 'service',
  summary: 'The models that the service knows by its settings, and whether they can be used',
  answer: z.object({
    items: z.array(
      z.object({
        model: z.string(),
        isDefault: z.boolean(),
        isUsable: z.boolean(),
        problem: z.string().nullable(),
        /** Dollars for a million tokens; null = unknown, so no cost can be limited. */
        prices: estimateSchema.shape.prices,
      }),
    ),
    nextCursor: z.null(),
  }),
});

export const listModelsRoute: Route<'models' | 'servedModels' | 'settings'> = (
  application,
  ports,
) => {
  const { defaultModel, defaultFallback, models } = ports.settings;
  const own = [defaultModel, defaultFallback, ...models].filter((model) => model !== null);
  application.route({
    method: 'GET',
    url: '/v1/models',
    config,
    schema: describe,
    handler: async () => ({
      items: [...new Set([...own, ...ports.servedModels()])].map((model) => ({
        model,
        isDefault: model === defaultModel,
        ...usability(ports, model),
        prices: pricesOf(ports.models, model),
      })),
      nextCursor: null,
    }),
  });
};

function usability(
  ports: Ports<'models'>,
  model: string,
): { isUsable: boolean; problem: string | null } {
  try {
    ports.models.assertUsable(model);
    return { isUsable: true, problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isUsable: false, problem: error.message };
  }
}
