import type { Client } from '../client.ts';
import { bad, type Finding, good, warning } from './finding.ts';

export const NO_DEFAULT = 'There is no default. Set GOALKEEPER_MODEL for the service.';

const PATIENCE_MS = 60_000;

/** One real call to the default model of the service, with the settings and keys of this place. */
export async function answersNow(client: Client): Promise<Finding> {
  const { items } = await client.get<{ items: { model: string; isDefault: boolean }[] }>(
    '/v1/models',
  );
  const model = items.find(({ isDefault }) => isDefault)?.model;
  if (model === undefined) return bad('online', NO_DEFAULT);
  const [{ loadConfig }, { createModels }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../model/providers.ts'),
  ]);
  const models = createModels(loadConfig(process.env).models);
  try {
    models.assertUsable(model);
  } catch (error) {
    return warning('online', `not tried from here: ${(error as Error).message}`);
  }
  const began = performance.now();
  const answer = await models.call({
    ...{ model, system: 'Answer with one word.', tools: [], maxOutputTokens: 64 },
    messages: [{ seq: 1, turn: 1, step: null, voice: 'person', content: { text: 'Say ready.' } }],
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  if (answer.kind !== 'answer') {
    const why = answer.kind === 'trouble' ? answer.trouble.message : `no answer in ${took}`;
    return bad(
      'online',
      `${model} does not answer: ${why}. Mend its key, its name or its address.`,
    );
  }
  const price = answer.usage === null ? null : models.price(model, answer.usage);
  const cost = price === null ? '' : `, $${price.costUsd}`;
  return good('online', `${model} answered in ${took}${cost}`);
}
