import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LONG_PATIENCE_MS, readGit, type StorePlace, startGit } from './store-git.ts';

type Part = string | Buffer;

/** Without the last word it takes nothing of what it was told. */
const FAST_IMPORT = ['fast-import', '--quiet', '--done', '--date-format=now'];
const AS_PACK = ['-c', 'fastimport.unpackLimit=1'];

const HUNG_UP = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

interface Feeding {
  /** Flags of git itself. */
  readonly flags?: readonly string[];
  /** How long it may take nothing. */
  readonly patienceMs?: number;
}

/**
 * Feeds `git fast-import`, for as long as it goes on: a large tree on a slow disk takes its time.
 * @returns what the parts asked it
 * @throws StoreFailed, and what the parts threw
 */
export async function feedImport(
  place: StorePlace,
  parts: AsyncIterable<Part> | Iterable<Part>,
  { flags = [], patienceMs }: Feeding = {},
): Promise<string> {
  const { child, done, goesOn } = startGit(place, [...flags, ...FAST_IMPORT], patienceMs);
  const answers = text(child.stdout).catch(() => '');
  let problem: Error | null = null;
  await pipeline(told(parts, goesOn), child.stdin).catch((error: NodeJS.ErrnoException) => {
    // Git says itself why it hung up.
    if (!HUNG_UP.includes(error.code ?? '')) problem = error;
  });
  await done().catch((error: Error) => {
    throw problem ?? error;
  });
  return await answers;
}

async function* told(
  parts: AsyncIterable<Part> | Iterable<Part>,
  goesOn: (patienceMs?: number) => void,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    yield part;
    goesOn();
  }
  goesOn(LONG_PATIENCE_MS);
}

export const COMMITTER = 'committer Goalkeeper <checkpoints@localhost> now\ndata 0\n';

/** @returns the commit that the parts told of under the name they were given */
export async function importCommit(
  place: StorePlace,
  parts: (ref: string) => AsyncIterable<Part> | Iterable<Part>,
): Promise<string> {
  const ref = `refs/checkpoints/${randomUUID()}`;
  await feedImport(place, parts(ref), { flags: AS_PACK });
  return (await readGit(place, ['rev-parse', '--verify', ref])).toString().trim();
}
