import type { RunWrites } from '../proof/concurrent-writes.ts';
import {
  diffFingerprints,
  type Fingerprint,
  fingerprintDigest,
  takeFingerprint,
} from './fingerprint.ts';

/**
 * Tells what the host's own runs write from what others write meanwhile: what moves during a run
 * is the run's, what moves between two looks is somebody else's.
 */
export interface WorkspaceWatch {
  /** What moved since the last look, by others; also remembered in `foreign`. */
  look(): Promise<readonly string[]>;
  /** Carries out one run of the host's; what moved meanwhile is its own. */
  during<Result>(run: () => Promise<Result>): Promise<{ result: Result; writes: RunWrites }>;
  readonly foreign: ReadonlySet<string>;
  /** One entry a run, in order. */
  readonly own: readonly RunWrites[];
  digest(): string;
  /** When the last look began, milliseconds. */
  lookedAt(): number;
}

/** @param watched paths that count although git ignores them */
export async function watchWorkspace(
  workspace: string,
  watched: readonly string[] = [],
): Promise<WorkspaceWatch> {
  let lookedAt = Date.now();
  let last: Fingerprint = await takeFingerprint(workspace, watched);
  const foreign = new Set<string>();
  const own: RunWrites[] = [];
  const next = async (): Promise<{ before: Fingerprint; moved: string[] }> => {
    const before = last;
    lookedAt = Date.now();
    last = await takeFingerprint(workspace, watched);
    return { before, moved: diffFingerprints(before, last) };
  };
  const look = async () => {
    const { moved } = await next();
    for (const path of moved) foreign.add(path);
    return moved;
  };
  return {
    foreign,
    own,
    look,
    async during(run) {
      await look();
      const result = await run();
      const { before, moved } = await next();
      const created = moved.filter((path) => !before.has(path));
      const writes = { paths: moved, created };
      own.push(writes);
      return { result, writes };
    },
    digest: () => fingerprintDigest(last),
    lookedAt: () => lookedAt,
  };
}
