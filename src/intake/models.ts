import type { ModelFacts } from './facts.ts';
import { type Issue, type Resolved, resolved, unresolved } from './issue.ts';

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** @param costUsd the goal's cost budget */
export function resolveModels(
  models: ModelFacts,
  asked: { readonly model?: string | undefined; readonly fallbackModel?: string | undefined },
  defaultModel: string | null,
  costUsd: string | null,
): Resolved<{ readonly model: string; readonly fallbackModel: string | null }> {
  const model = asked.model ?? defaultModel;
  if (model === null) {
    const detail = 'Name a model, or set GOALKEEPER_MODEL for the service.';
    return unresolved({ code: 'unknown_model', detail, data: { field: 'model' } });
  }
  const fallbackModel = asked.fallbackModel ?? null;
  const issue =
    modelIssue(models, 'model', model, costUsd) ??
    (fallbackModel === null ? null : modelIssue(models, 'fallbackModel', fallbackModel, costUsd));
  return issue === null ? resolved({ model, fallbackModel }) : unresolved(issue);
}

/** Refuses unusable models, and models without a price if the goal's cost is limited. */
export function modelIssue(
  models: ModelFacts,
  field: string,
  model: string,
  costUsd: string | null,
): Issue | null {
  const issue = models.issueOf(model);
  if (issue !== null) return { ...issue, data: { field, ...issue.data } };
  if (costUsd === null || models.price(model, noUsage) !== null) return null;
  return {
    code: 'invalid_request',
    detail: `${model} has no known price, so a cost budget can't be kept: add it to GOALKEEPER_PRICES or limit tokens.`,
    data: { field: 'budget.costUsd', model },
  };
}
