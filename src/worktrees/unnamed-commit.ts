import { randomUUID } from 'node:crypto';
import { feedImport } from '../checkpoints/import-commit.ts';
import { quoted } from '../checkpoints/import-stream.ts';
import type { StorePlace } from '../checkpoints/store-git.ts';
import { readObjects } from '../checkpoints/tree.ts';

type Part = string | Buffer;

export const SCRATCH = 'refs/goalkeeper/';

interface About {
  /** The first one is what the changes are against. */
  readonly parents: readonly [string, ...string[]];
  readonly message: string;
}

/**
 * A commit on no branch. The import needs a ref for it. The same import resets it, so the ref is
 * never created.
 *
 * @param changes as `git fast-import` reads them, deletions first: a folder may replace a file
 * @returns its id
 * @throws StoreFailed, and what the changes threw
 */
export async function unnamedCommit(
  place: StorePlace,
  { parents: [parent, ...merged], message }: About,
  changes: AsyncIterable<Part>,
): Promise<string> {
  const text = Buffer.from(`${message}\n`);
  const ref = `${SCRATCH}${randomUUID()}`;
  async function* told(): AsyncGenerator<Part> {
    yield `commit ${ref}\nmark :1\ncommitter Goalkeeper <goalkeeper@localhost> now\ndata ${text.length}\n`;
    yield text;
    yield `\nfrom ${parent}\n`;
    for (const other of merged) yield `merge ${other}\n`;
    yield* changes;
    yield `\nget-mark :1\nreset ${ref}\nfrom ${'0'.repeat(parent.length)}\n\ndone\n`;
  }
  return (await feedImport(place, told())).trim();
}

/** Contents that are held at once. */
const BATCH = 20;

export interface Written {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
}

/** Files whose contents another repository has. */
export async function* writtenFrom(
  source: StorePlace,
  files: readonly Written[],
): AsyncGenerator<Part> {
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const contents = await readObjects(
      source,
      batch.map(({ object }) => object),
    );
    for (const [index, { path, mode }] of batch.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      yield `M ${mode} inline ${quoted(path)}\ndata ${content.length}\n`;
      yield content;
      yield '\n';
    }
  }
}
