import type { StartGoal } from '../../schema/goal.ts';
import { modelOfAgent } from './agents.ts';
import type { IntakeFacts, ModelFacts } from './facts.ts';
import { type Issue, type Resolved, resolved, unresolved } from './issue.ts';

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/**
 * @param costUsd the goal's cost budget
 * @param agent works on the goal instead of the own loop: the model is for reviews alone
 */
export function resolveModels(
  models: ModelFacts,
  asked: Pick<StartGoal, 'model' | 'fallbackModel' | 'criteria'>,
  standing: Pick<IntakeFacts, 'defaultModel' | 'defaultFallback'>,
  costUsd: string | null,
  agent?: string,
): Resolved<{ readonly model: string; readonly fallbackModel: string | null }> {
  const model = asked.model ?? standing.defaultModel;
  const needsModel = (asked.criteria ?? []).some(({ kind }) => kind === 'review');
  if (model === null && agent !== undefined && !needsModel)
    return resolved({ model: modelOfAgent(agent), fallbackModel: null });
  if (model === null) {
    const detail = 'Name a model, or set GOALKEEPER_MODEL for the service.';
    return unresolved({ code: 'unknown_model', detail, data: { field: 'model' } });
  }
  const own = agent === undefined && standing.defaultFallback !== model;
  const otherwise = own ? standing.defaultFallback : null;
  const fallbackModel = asked.fallbackModel === undefined ? otherwise : asked.fallbackModel;
  const issue =
    modelIssue(models, 'model', model, agent === undefined ? costUsd : null) ??
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
