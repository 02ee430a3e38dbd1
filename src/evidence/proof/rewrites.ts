import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readObjects } from '../../checkpoints/tree.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { touchedIn } from '../../proof-place/place.ts';
import { readRegularFile } from '../../workspace/regular-file.ts';
import type { ProofTree } from './proof-tree.ts';

/** A file of the tree that a run changed, moved or removed while it ran. */
export interface Rewrite {
  readonly path: string;
  /** SHA-256 of its content after the run; null = it is gone. */
  readonly now: string | null;
  readonly diff: string;
}

const LONGEST_BYTES = 1024 * 1024;
const MOST_SHOWN = 50;

/** What the run that just ended did to the files that it was given. */
export async function rewritesIn(checkout: string, tree: ProofTree): Promise<Rewrite[]> {
  const touched = await touchedIn(checkout);
  const rewrites: Rewrite[] = [];
  for (const [index, path] of touched.entries()) {
    const content = await readRegularFile(join(checkout, path), LONGEST_BYTES).catch(() => null);
    const now = content === null ? null : createHash('sha256').update(content).digest('hex');
    const entry = tree.entries.get(path);
    const isShown = index < MOST_SHOWN && entry !== undefined;
    const [before = null] = isShown ? await readObjects(tree.store, [entry.object]) : [];
    const diff = isShown ? renderDiff(before, content) : '';
    rewrites.push({ path, now, diff: diff === '' && isShown ? PUT_BACK : diff });
  }
  return rewrites;
}

const PUT_BACK = '(it was changed, moved or replaced while the check ran, and put back)';
