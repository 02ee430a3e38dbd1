import { z } from 'zod';
import { Refusal } from '../../goal/errors.ts';
import type { ApiPorts, Route } from '../application.ts';
import { operation } from '../contract.ts';

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
      }),
    ),
    nextCursor: z.null(),
  }),
});

export const listModelsRoute: Route = (application, ports) => {
  const { defaultModel, models } = ports.settings;
  const own = defaultModel === null ? models : [defaultModel, ...models];
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
      })),
      nextCursor: null,
    }),
  });
};

function usability(ports: ApiPorts, model: string): { isUsable: boolean; problem: string | null } {
  try {
    ports.models.assertUsable(model);
    return { isUsable: true, problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isUsable: false, problem: error.message };
  }
}
