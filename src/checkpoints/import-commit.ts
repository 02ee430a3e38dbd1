import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LONG_PATIENCE_MS, StoreFailed, type StorePlace, startGit } from './store-git.ts';

type Part = string | Buffer;

/** With `--done`, an import without a final `done` is discarded. */
const FAST_IMPORT = ['fast-import', '--quiet', '--done', '--date-format=now'];
const AS_PACK = ['-c', 'fastimport.unpackLimit=1'];

const HUNG_UP = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

interface Feeding {
  /** Flags of git itself. */
  readonly flags?: readonly string[];
  /** The longest time in which it may accept no input. */
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
  await pipeline(patiently(parts, goesOn), child.stdin).catch((error: NodeJS.ErrnoException) => {
    // Git reports itself why it closed the pipe.
    if (!HUNG_UP.includes(error.code ?? '')) problem = error;
  });
  await done().catch((error: Error) => {
    throw problem ?? error;
  });
  return await answers;
}

async function* patiently(
  parts: AsyncIterable<Part> | Iterable<Part>,
  goesOn: (patienceMs?: number) => void,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    yield part;
    goesOn();
  }
  goesOn(LONG_PATIENCE_MS);
}

const COMMITTER = 'committer Goalkeeper <checkpoints@localhost> now\ndata 0\n';

/**
 * One commit, under a name of its own.
 *
 * @param parent none = it is the first one
 * @param changes against the parent, as `git fast-import` reads them
 * @returns its id, 40 hex digits
 */
export async function importCommit(
  place: StorePlace,
  parent: string | undefined,
  changes: AsyncIterable<Part> | Iterable<Part>,
): Promise<string> {
  const ref = `refs/checkpoints/${randomUUID()}`;
  const id = await feedImport(place, told(ref, parent, changes), { flags: AS_PACK });
  if (!/^[0-9a-f]{40}\n$/.test(id)) throw new StoreFailed('fast-import', `no commit in "${id}"`);
  return id.trim();
}

async function* told(
  ref: string,
  parent: string | undefined,
  changes: AsyncIterable<Part> | Iterable<Part>,
): AsyncGenerator<Part> {
  yield `commit ${ref}\nmark :1\n${COMMITTER}`;
  if (parent !== undefined) yield `from ${parent}\n`;
  yield* changes;
  yield '\nget-mark :1\ndone\n';
}
