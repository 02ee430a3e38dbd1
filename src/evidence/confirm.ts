import type { ConfirmInput } from '../../activities/confirm-evidence.ts';
import { watchedPaths } from '../goal/watched-paths.ts';
import { type Fingerprint, fingerprintDigest, takeFingerprint } from '../tools/fingerprint.ts';
import type { TurnPorts } from '../turn/ports-of-turn.ts';
import { shownPaths } from './shorten.ts';

/**
 * The last look before a completion is committed: what a person or a leftover process wrote since
 * the gate looked, by path; empty when the workspace is still what was checked.
 */
export async function confirmEvidence(
  { journal }: Pick<TurnPorts, 'journal'>,
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
