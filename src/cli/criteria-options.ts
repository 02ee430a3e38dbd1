import type { Criterion } from '../../schema/criteria.ts';

interface CriteriaOptions {
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
}

/** Undefined where none are given. */
export function criteriaOf({ criterion, sealed }: CriteriaOptions): Criterion[] | undefined {
  if (criterion === undefined && sealed === undefined) return undefined;
  return [
    ...(criterion ?? []).map((command) => ({ kind: 'command' as const, command })),
    ...(sealed ?? []).map((sealedId) => ({ kind: 'sealed' as const, sealedId })),
  ];
}
