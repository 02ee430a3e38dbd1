import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Scope, StoredScope } from '../../../schema/scope.ts';
import { commandsOf, scopeOfCaller, scopeOfHost } from '../../proof/proof-parts.ts';
import { inferScope, judgesCovered } from '../../proof/scope/infer-scope.ts';

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
  const project = { paths, read, commands: commandsOf(criteria) };
  if (given?.change === undefined) return scopeOfHost(inferScope(project), criteria, given);
  const { change, keep = [] } = given;
  return scopeOfCaller(given, criteria, judgesCovered({ change, keep }, project));
}
