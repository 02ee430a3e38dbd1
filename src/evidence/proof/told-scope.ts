import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Scope, StoredScope } from '../../../schema/scope.ts';
import { scopeOfCaller, scopeOfHost } from '../../proof/proof-parts.ts';
import { inferScope } from '../../proof/scope/infer-scope.ts';

/** The files that a scope is told from: those of the original. */
interface Files {
  readonly paths: readonly string[];
  readonly read: (path: string) => string | null;
}

/** The scope that the caller gave, or what the host infers. */
export function toldScope(
  given: StoredScope | null | undefined,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
  { paths, read }: Files,
): Scope {
  if (given?.change !== undefined) return scopeOfCaller(given, criteria);
  const commands = criteria.flatMap(({ spec }) => (spec.kind === 'command' ? [spec.command] : []));
  return scopeOfHost(inferScope({ paths, read, commands }), criteria, given);
}
