import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';

export interface ShownProof {
  readonly predicate: GoalProofPredicate;
  readonly keyId: string;
  /** The signed file as it is. */
  readonly text: string;
}

/** What the signed file says; its signature is for `goalkeeper proof verify`, not for a page. */
export function readProof(text: string): ShownProof {
  const envelope = JSON.parse(text.slice(0, text.indexOf('\n'))) as {
    payload: string;
    signatures: [{ keyid: string }];
  };
  const bytes = Uint8Array.from(atob(envelope.payload), (letter) => letter.charCodeAt(0));
  const statement = JSON.parse(new TextDecoder().decode(bytes)) as {
    predicate: GoalProofPredicate;
  };
  return { predicate: statement.predicate, keyId: envelope.signatures[0].keyid, text };
}

const LEVELS: Record<GoalProofPredicate['level'], string> = {
  verified: 'Verified',
  supported: 'Supported, not verified',
  accepted_by_person: 'Accepted by a person, not verified',
};

export const levelText = ({ level }: Pick<GoalProofPredicate, 'level'>): string => LEVELS[level];

/** What the host saw of one criterion, in the place of proofs and before. */
export function criterionFacts(
  { proof }: Pick<GoalProofPredicate, 'proof'>,
  { criterionId, baseline }: GoalProofPredicate['criteria'][number],
): string {
  const proven = proof.criteria.find((one) => one.criterionId === criterionId);
  const tests = proven?.tests;
  const canaries = proven?.canaries;
  return [
    BASELINES[baseline],
    proven === undefined ? 'no proof run' : 'met on the original with the work',
    ...(tests?.now == null ? [] : [`tests: ${tests.before ?? 'unknown'} before, ${tests.now} now`]),
    ...(canaries === undefined ? [] : [`canaries: ${canaries.state.replace('_', ' ')}`]),
  ].join(' · ');
}

const BASELINES = {
  met: 'held before the work (a guard)',
  unmet: 'failed before the work',
  not_run: 'not run before the work',
} as const;
