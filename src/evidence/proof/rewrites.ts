import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readObjects } from '../../checkpoints/tree.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { mayJudge } from '../../proof/scope/built-places.ts';
import { judgesByName } from '../../proof/scope/judge-like.ts';
import { watchMade } from '../../proof-place/made-files.ts';
import { foldersOf, touchedIn } from '../../proof-place/place.ts';
import { besideCaches } from '../../sandbox/goal-folders.ts';
import { readResolvedFile } from '../../workspace/regular-file.ts';
import { homeOfCheckout } from '../checkout.ts';
import type { Place } from './place.ts';
import type { ProofTree } from './proof-tree.ts';

/** A file that a run changed, moved, removed or made while it ran. */
export interface Rewrite {
  /** Begins with `~/` in the home. */
  readonly path: string;
  /** It was not there before. */
  readonly isMade: boolean;
  /** SHA-256 of its content after the run; null = it is gone. */
  readonly now: string | null;
  readonly diff: string;
}

const LONGEST_BYTES = 1024 * 1024;
const MOST_SHOWN = 50;

/** Runs in the place, and tells what the run did to the files there, and in its home. */
export async function withRewrites<Ran extends object>(
  { checkout, lent }: Place,
  tree: ProofTree,
  run: () => Promise<Ran>,
): Promise<Ran & { readonly rewrites: readonly Rewrite[] }> {
  const home = join(homeOfCheckout(checkout), 'home');
  const made = watchMade(checkout, ['.', ...foldersOf(tree.entries)], home);
  const ran = await run().catch(async (error: unknown) => {
    // A watch that nobody ends keeps the worker's process from ending.
    await made();
    throw error;
  });
  const isLent = (path: string) => lent.some(({ at }) => path === at || path.startsWith(`${at}/`));
  const isNews = (path: string) => !tree.entries.has(path) && !isLent(path) && mayJudgeAt(path);
  const files = (await made()).filter(isNews);
  const rewrites = await rewritesIn(checkout, tree);
  return { ...ran, rewrites: [...rewrites, ...(await Promise.all(files.map(asMade)))] };

  async function asMade(path: string): Promise<Rewrite> {
    const isOfHome = path.startsWith('~/');
    const content = await readLeft(isOfHome ? home : checkout, isOfHome ? path.slice(2) : path);
    const diff = content === null ? '(it was made while the check ran)' : renderDiff(null, content);
    return { path, isMade: true, now: content === null ? null : digestOf(content), diff };
  }
}

/** In a home programs find their settings by any name. */
function mayJudgeAt(path: string): boolean {
  if (!path.startsWith('~/')) return mayJudge(path);
  const beside = besideCaches(path.slice(2));
  return beside === null || judgesByName(beside);
}

/** Null also behind a link: what a run left may lead to what only the host may read. */
const readLeft = async (folder: string, path: string): Promise<Buffer | null> =>
  await readResolvedFile(join(await realpath(folder), path), LONGEST_BYTES).catch(() => null);

async function rewritesIn(checkout: string, tree: ProofTree): Promise<Rewrite[]> {
  const touched = await touchedIn(checkout);
  const rewrites: Rewrite[] = [];
  for (const [index, path] of touched.entries()) {
    const content = await readLeft(checkout, path);
    const now = content === null ? null : digestOf(content);
    const entry = tree.entries.get(path);
    const isShown = index < MOST_SHOWN && entry !== undefined;
    const [before = null] = isShown ? await readObjects(tree.store, [entry.object]) : [];
    const diff = isShown ? renderDiff(before, content) : '';
    rewrites.push({ path, isMade: false, now, diff: diff === '' && isShown ? PUT_BACK : diff });
  }
  return rewrites;
}

const PUT_BACK = '(it was changed, moved or replaced while the check ran, and put back)';

const digestOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
