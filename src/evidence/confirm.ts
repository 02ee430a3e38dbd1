import type { ConfirmInput } from '../contract/activities.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { type Fingerprint, fingerprintDigest, takeFingerprint } from '../workspace/fingerprint.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import { shownPaths } from './shorten.ts';

/**
 * Last look before a completion is committed: paths that a person or a leftover process wrote since
 * the gate; empty when the workspace is unchanged.
 */
export async function confirmEvidence(
  { journal }: Pick<EvidencePorts, 'journal'>,
  { goalId, fingerprint, lookedAt }: ConfirmInput,
): Promise<string[]> {
  const { workspace, criteria } = await journal.brief(goalId);
  const present = await takeFingerprint(workspace.path, watchedPaths(criteria));
  if (fingerprintDigest(present) === fingerprint) return [];
  const later = pathsSince(present, lookedAt);
  return later.length === 0 ? ['files that are gone'] : shownPaths(later);
}

const pathsSince = (present: Fingerprint, since: number): string[] =>
  [...present].filter(([, { ctimeMs }]) => ctimeMs >= since).map(([path]) => path);
