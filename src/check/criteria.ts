import type { BaselineState, Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import { describeCriterion } from '../record/criterion-text.ts';

export interface SortedCriteria {
  /** What two trees can show. */
  readonly judged: readonly TrackedCriterion[];
  /** What a model, a server or a person would have to say. */
  readonly open: readonly TrackedCriterion[];
}

/** @param origin `detected`: the host found them in the base */
export function sortCriteria(
  specs: readonly Criterion[],
  origin: 'caller' | 'detected',
): SortedCriteria {
  const all = specs.map(
    (spec, index): TrackedCriterion => ({
      ...{ criterionId: `c${index + 1}`, spec, state: 'unmet', baseline: 'not_run' },
      ...{ origin, receipts: [] },
    }),
  );
  const isJudged = ({ spec }: TrackedCriterion) =>
    spec.kind === 'file' || (spec.kind === 'command' && spec.check !== 'receipt');
  return { judged: all.filter(isJudged), open: all.filter((one) => !isJudged(one)) };
}

/** What the host found says nothing where it failed before, unless it is the tests. */
export const isWorthAsking = (
  { origin, spec }: Pick<TrackedCriterion, 'origin' | 'spec'>,
  state: BaselineState | undefined,
): boolean =>
  origin !== 'detected' || state === 'met' || (state === 'unmet' && spec.name === 'test');

export const whyOpen = (spec: Criterion): string =>
  ({
    approval: 'a person has to say',
    review: 'a model would have to review it, and a check has none',
    sealed: 'it is kept by a service, and a check has none',
    git: 'it looks at a work tree, and a check at what is delivered',
    diagnostics: 'name the command of the checker as a criterion instead',
    command: 'it asks for a run of a model, and a check has none',
    file: '',
  })[spec.kind];

/** In a few words. */
export const textOf = ({ spec }: Pick<TrackedCriterion, 'spec'>): string =>
  spec.kind === 'command' ? spec.command : describeCriterion(spec);
