import type { Budget } from '../../schema/budget.ts';
import { Refusal } from '../contract/failures.ts';
import type { ApiPorts } from './application.ts';

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

type Models = ApiPorts['models'];

export function assertModels(
  ports: ApiPorts,
  input: { model?: string | undefined; fallbackModel?: string | undefined },
  budget: Budget,
): { model: string; fallbackModel: string | null } {
  const model = input.model ?? ports.settings.defaultModel;
  if (model === null) {
    throw new Refusal('unknown_model', 'Name a model, or set GOALKEEPER_MODEL for the service.', {
      field: 'model',
    });
  }
  assertModel(ports.models, 'model', model, budget.costUsd);
  const fallbackModel = input.fallbackModel ?? null;
  if (fallbackModel !== null)
    assertModel(ports.models, 'fallbackModel', fallbackModel, budget.costUsd);
  return { model, fallbackModel };
}

/** Usable, and priced where money is limited: a cost that nobody knows can't be kept. */
export function assertModel(
  models: Models,
  field: string,
  model: string,
  costUsd: string | null,
): void {
  withField(field, () => models.assertUsable(model));
  if (costUsd === null || models.price(model, noUsage) !== null) return;
  throw new Refusal(
    'invalid_request',
    `${model} has no known price, so a cost budget can't be kept: add it to GOALKEEPER_PRICES or limit tokens.`,
    { field: 'budget.costUsd', model },
  );
}

function withField(field: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { field, ...error.data });
  }
}
