import type { Criterion } from '../../schema/criteria.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Principal } from '../../schema/role.ts';
import type { ScopeInput } from '../../schema/scope.ts';
import { speaksForPerson } from '../policy/role-rank.ts';
import { scopeTest } from '../proof/scope/scope.ts';
import { toldCriterion } from '../proof/sealed/told.ts';
import type { SealedFacts } from './facts.ts';
import { fieldIssue, firstIssue, type Issue, issueIn } from './issue.ts';

/** The criteria as the record keeps them: of a sealed one, what the host says of it. */
export const toldCriteria = (
  specs: readonly Criterion[],
  { known }: SealedFacts,
): readonly Criterion[] =>
  specs.map((spec) => {
    const sealed = spec.kind === 'sealed' ? known.get(spec.sealedId) : undefined;
    return sealed === undefined ? spec : toldCriterion(sealed.told.sealedId, sealed.told);
  });

interface Around {
  readonly scope: Pick<ScopeInput, 'change' | 'keep'> | undefined;
  readonly proof: Policy['proof'] | undefined;
}

/** Why sealed criteria can't be a goal's; what is found out later fails closed at the gate. */
export function sealedIssue(
  specs: readonly Criterion[],
  { known, hasSandbox }: SealedFacts,
  { scope, proof }: Around,
): Issue | null {
  const seen = new Set<string>();
  return issueIn(specs, 'criteria', (spec, field) => {
    if (spec.kind !== 'sealed') return null;
    const at = `${field}.sealedId`;
    const isDouble = seen.has(spec.sealedId);
    seen.add(spec.sealedId);
    const sealed = known.get(spec.sealedId);
    if (sealed === undefined) return fieldIssue(at, 'there is none: seal it with POST /v1/sealed.');
    const { told, problem, paths } = sealed;
    return firstIssue(
      () => (isDouble ? fieldIssue(at, 'it is named twice.') : null),
      () => (problem === null ? null : fieldIssue(at, `${problem}.`)),
      () => (proof === 'workspace' ? fieldIssue('policy.proof', NEEDS_PROOF) : null),
      () => (told.checks === 'command' && !hasSandbox ? NO_SANDBOX(field) : null),
      () => scopeIssue(paths, scope, field),
    );
  });
}

const NEEDS_PROOF = 'sealed criteria run in the proof only: leave it at "scope".';

const NO_SANDBOX = (field: string): Issue => ({
  code: 'unsupported',
  detail:
    `${field}: no worker has a whole sandbox, so commands of the goal could read what is sealed. ` +
    'Install bubblewrap, and unset GOALKEEPER_SANDBOX=off.',
  data: { field },
});

/** A file of that name could be the goal's own work, and no longer the caller's. */
function scopeIssue(paths: readonly string[], scope: Around['scope'], field: string): Issue | null {
  if (scope === undefined) return null;
  const isWork = scopeTest({ change: scope.change ?? [], keep: scope.keep ?? [] });
  const path = paths.find((one) => isWork(one));
  if (path === undefined) return null;
  return fieldIssue(
    field,
    `its file ${path} has a name that the scope lets the goal change: rename it, or name it in scope.keep.`,
  );
}

/** What is sealed binds people's judgement, so a program that acts for models can't use it. */
export function sealedByProgram({ role }: Principal, specs: readonly Criterion[]): Issue | null {
  if (speaksForPerson(role)) return null;
  const index = specs.findIndex(({ kind }) => kind === 'sealed');
  if (index < 0) return null;
  const field = `criteria.${index}`;
  const detail = 'Only a person names sealed criteria: a program could ask them for their content.';
  return { code: 'forbidden', detail, data: { field } };
}
