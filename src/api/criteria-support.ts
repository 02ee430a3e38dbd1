import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import { problemWith } from '../contract/failures.ts';
import { assertCheckable } from '../proof/criterion-fields.ts';
import type { ApiPorts } from './application.ts';
import { assertModel } from './model-choice.ts';

type Ports = Pick<ApiPorts, 'models' | 'settings' | 'mask'>;

/** Criteria as the record keeps them, or a refusal that names the first that can't be kept. */
export async function trackCriteria(
  ports: Ports,
  specs: readonly Criterion[],
  costUsd: string | null,
): Promise<TrackedCriterion[]> {
  await assertSupported(ports, specs, costUsd);
  return specs.map((spec, index) => ({
    criterionId: `c${index + 1}`,
    spec,
    state: 'unmet',
    baseline: 'not_run',
    origin: 'caller',
    receipts: [],
  }));
}

/** @param costUsd the goal's cost budget: a reviewer without a price can't keep to it */
export async function assertSupported(
  { models, settings, mask }: Ports,
  specs: readonly Criterion[],
  costUsd: string | null,
): Promise<void> {
  for (const [index, spec] of specs.entries()) {
    const field = `criteria.${index}`;
    await assertCheckable(spec, field);
    assertComparable(spec, field, mask);
    assertReviewer(models, spec, field, costUsd);
    if (spec.kind === 'approval') assertApprover(settings, field);
  }
}

/** Receipts are stored without secrets: no run that they tell of would be the one that is asked for. */
function assertComparable(spec: Criterion, field: string, mask: Ports['mask']): void {
  if (spec.kind !== 'command' || spec.check !== 'receipt') return;
  if (mask(spec.command) === spec.command) return;
  throw problemWith(
    `${field}.command`,
    'it holds a secret, which no receipt shows; let the command read it from a file or an environment variable, or use check "rerun".',
  );
}

/** Of criteria that stand already, where a cost limit comes to them or may have lost their prices. */
export function assertReviewers(
  models: Ports['models'],
  criteria: readonly TrackedCriterion[],
  costUsd: string | null,
): void {
  for (const { spec, criterionId } of criteria) assertReviewer(models, spec, criterionId, costUsd);
}

function assertReviewer(
  models: Ports['models'],
  spec: Criterion,
  field: string,
  costUsd: string | null,
): void {
  if (spec.kind !== 'review' || spec.model === undefined) return;
  assertModel(models, `${field}.model`, spec.model, costUsd);
}

/** Without a person who may decide, the goal could never end. */
function assertApprover({ tokens }: Ports['settings'], field: string): void {
  if (tokens.some(({ role }) => role === 'operator' || role === 'admin')) return;
  throw problemWith(
    `${field}.kind`,
    'nobody could approve: no token has the role operator or admin.',
  );
}
