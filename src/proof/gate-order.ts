import type { Criterion } from '../../schema/criteria.ts';

/**
 * The order of a gate's checks: `look` costs nothing, `run` runs commands, `judge` pays a model,
 * `ask` takes a person's time. A costlier kind begins only when all cheaper ones hold; a person's
 * decision is always looked up.
 */
export const stages = ['look', 'run', 'judge', 'ask'] as const;

export type Stage = (typeof stages)[number];

export function costOf(spec: Criterion): Stage {
  switch (spec.kind) {
    case 'file':
    case 'git':
      return 'look';
    case 'command':
      return spec.check === 'receipt' ? 'look' : 'run';
    case 'diagnostics':
      return 'run';
    case 'sealed':
      return spec.checks === 'review' ? 'judge' : 'run';
    case 'review':
      return 'judge';
    case 'approval':
      return 'ask';
  }
}

/** The same criteria, the cheapest to look at first. */
export function inGateOrder<Tracked extends { readonly spec: Criterion }>(
  criteria: readonly Tracked[],
): Tracked[] {
  const rank = ({ spec }: Tracked) => stages.indexOf(costOf(spec));
  return [...criteria].sort((left, right) => rank(left) - rank(right));
}
