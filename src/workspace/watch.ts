import type { RunWrites } from '../proof/concurrent-writes.ts';
import {
  diffFingerprints,
  type Fingerprint,
  fingerprintDigest,
  takeFingerprint,
} from './fingerprint.ts';

/**
 * Separates the writes of the host's own runs from others' writes: a change during a run belongs
 * to the run, and a change between two looks is foreign.
 */
export interface WorkspaceWatch {
  /** Others' changes since the last look; also remembered in `foreign`. */
  look(): Promise<readonly string[]>;
  /** Carries out one run of the host's and counts the changes during it as its own. */
  during<Result>(run: () => Promise<Result>): Promise<{ result: Result; writes: RunWrites }>;
  readonly foreign: ReadonlySet<string>;
  /** One entry for each run, in order. */
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
