import type { Config } from '../contract/config.ts';
import { Refusal } from '../contract/failures.ts';

/** Said before anything starts, because no goal that names no model can be started then. */
export async function whyNoModel({
  model,
  fallbackModel,
  models,
}: Pick<Config, 'model' | 'fallbackModel' | 'models'>): Promise<string | null> {
  if (model === null)
    return 'No model is set: goals have to name one. Set GOALKEEPER_MODEL=provider/model and start again.';
  const { createModels } = await import('../model/providers.ts');
  const known = createModels(models);
  for (const name of fallbackModel === null ? [model] : [model, fallbackModel]) {
    try {
      known.assertUsable(name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return `No goal can use ${name}: ${error.message} Set it and start again.`;
    }
  }
  return null;
}
