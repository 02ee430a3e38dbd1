import type { Criterion } from '../../schema/criteria.ts';

interface CriteriaOptions {
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
}

/** The same, and the criteria of every kind that a file lists. */
export async function criteriaWithFile(
  options: CriteriaOptions & { readonly criteriaFile?: string },
): Promise<Criterion[] | undefined> {
  const given = criteriaOf(options);
  if (options.criteriaFile === undefined) return given;
  const { criteriaOfFile } = await import('../app/repository-file.ts');
  return [...(given ?? []), ...(await criteriaOfFile(options.criteriaFile))];
}

/** Undefined where none are given. */
export function criteriaOf({ criterion, sealed }: CriteriaOptions): Criterion[] | undefined {
  if (criterion === undefined && sealed === undefined) return undefined;
  return [
    ...(criterion ?? []).map((command) => ({ kind: 'command' as const, command })),
    ...(sealed ?? []).map((sealedId) => ({ kind: 'sealed' as const, sealedId })),
  ];
}
