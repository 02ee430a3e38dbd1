import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { GitEntry } from './git-objects.ts';
import { gitMode, partsOf } from './import-stream.ts';
import { type Change, commitLoose, isLoose } from './loose-commit.ts';
import { rememberedTree } from './memory.ts';
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

type Changes = AsyncIterable<Change> | Iterable<Change>;

/** What of a commit is written without git: no more than this is held in memory for it. */
const SMALL = { changes: 100, bytes: 1024 ** 2, entries: 2_000 };

/**
 * One commit, under a name of its own.
 *
 * @param parent none = it is the first one
 * @param changes against the parent; they write the file of metadata, as each commit does
 * @returns its id, 40 hex digits
 * @throws StoreFailed, and what the changes threw
 */
export async function importCommit(
  place: StorePlace,
  parent: string | undefined,
  changes: Changes,
): Promise<string> {
  const ref = `refs/checkpoints/${randomUUID()}`;
  const before = filesOf(parent);
  if (before === null || before.size > SMALL.entries) {
    return await byGit(place, { ref, parent, changes, asPack: true });
  }
  const { begun, rest } = await beginningOf(changes);
  if (rest !== null) {
    return await byGit(place, { ref, parent, changes: after(begun, rest), asPack: true });
  }
  // Git says whether the store still has what was packed; the next small commit finds it loose.
  if (parent !== undefined && !(await isLoose(place, parent))) {
    return await byGit(place, { ref, parent, changes: begun, asPack: false });
  }
  return await commitLoose(place, ref, { parent, before, changes: begun });
}

/** What is known to stand in a commit but the file of metadata, which each commit writes anew. */
function filesOf(commit: string | undefined): ReadonlyMap<string, GitEntry> | null {
  if (commit === undefined) return new Map();
  const tree = rememberedTree(commit);
  if (tree === undefined) return null;
  return new Map(
    [...tree.entries].map(([path, entry]) => [
      `files/${path}`,
      { mode: gitMode(entry), object: entry.object },
    ]),
  );
}

/** The changes where they are few and small, or what was taken of them and the others. */
async function beginningOf(changes: Changes) {
  const all = (async function* () {
    yield* changes;
  })();
  const begun: Change[] = [];
  let bytes = 0;
  for (;;) {
    const next = await all.next();
    if (next.done) return { begun, rest: null };
    begun.push(next.value);
    const { file } = next.value;
    bytes += file !== null && 'content' in file ? file.content.length : 0;
    if (begun.length > SMALL.changes || bytes > SMALL.bytes) return { begun, rest: all };
  }
}

async function* after(begun: Iterable<Change>, rest: Changes): AsyncGenerator<Change> {
  yield* begun;
  yield* rest;
}

interface Told {
  readonly ref: string;
  readonly parent: string | undefined;
  readonly changes: Changes;
  readonly asPack: boolean;
}

async function byGit(place: StorePlace, { asPack, ...commit }: Told): Promise<string> {
  const id = await feedImport(place, told(commit), { flags: asPack ? AS_PACK : [] });
  if (!/^[0-9a-f]{40}\n$/.test(id)) throw new StoreFailed('fast-import', `no commit in "${id}"`);
  return id.trim();
}

const COMMITTER = 'committer Goalkeeper <checkpoints@localhost> now\ndata 0\n';

async function* told({ ref, parent, changes }: Omit<Told, 'asPack'>): AsyncGenerator<Part> {
  yield `commit ${ref}\nmark :1\n${COMMITTER}`;
  if (parent !== undefined) yield `from ${parent}\n`;
  for await (const change of changes) yield* partsOf(change);
  yield '\nget-mark :1\ndone\n';
}
