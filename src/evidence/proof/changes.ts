import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ProvenFile } from '../../../schema/goal-proof.ts';
import type { ShownChange } from '../../../schema/proof-change.ts';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readEach, readObjects } from '../../checkpoints/tree.ts';
import { filesThatBendTheirTests } from '../../proof/in-source-tests.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { isCode } from '../../proof/scope/code-files.ts';
import type { InstalledFolder } from '../../proof-place/dependencies.ts';
import type { TreeChange } from '../../proof-place/tree-changes.ts';
import { gitMode } from '../../proof-place/tree-id.ts';

/** What differs from the start: a file, or a folder of installed packages as a whole. */
export type Change =
  | {
      readonly kind: 'file';
      readonly file: TreeChange;
      /**
       * False for what a scope can't include: a link to what nobody delivers, a source whose own
       * tests are bent, a new file that takes the name of something outside, or one that gives words
       * of the judge another meaning.
       */
      readonly isDeliverable: boolean;
    }
  | { readonly kind: 'packages'; readonly folder: InstalledFolder };

export async function fileChanges(
  store: StorePlace,
  files: readonly TreeChange[],
  shadows: readonly string[],
): Promise<Change[]> {
  const isLink = ({ now }: TreeChange) => now?.kind === 'link';
  const targets = await versionsOf(store, files.filter(isLink));
  const sources = await versionsOf(
    store,
    files.filter((file) => !isLink(file) && isCode(file.path)),
  );
  const refused = new Set([
    ...targets.filter(({ path, now }) => leadsOut(path, now ?? '')).map(({ path }) => path),
    ...filesThatBendTheirTests(sources),
    ...shadows,
  ]);
  return files.map((file) => ({ kind: 'file', file, isDeliverable: !refused.has(file.path) }));
}

async function versionsOf(store: StorePlace, files: readonly TreeChange[]) {
  const entries = files.flatMap(({ before, now }) => [before, now]);
  const present = entries.flatMap((entry) => (entry === null ? [] : [entry.object]));
  const texts = await readObjects(store, present);
  const next = (entry: TreeEntry | null) => (entry === null ? null : String(texts.shift()));
  return files.map(({ path, before, now }) => ({ path, before: next(before), now: next(now) }));
}

const leadsOut = (path: string, target: string): boolean =>
  posix.isAbsolute(target) || /^\.\.(\/|$)/.test(posix.join(posix.dirname(path), target));

/** Can it be work at all? */
export const isDeliverable = (change: Change): boolean =>
  change.kind === 'file' && change.isDeliverable;

export const packagesChange = (folder: InstalledFolder): Change => ({ kind: 'packages', folder });

export const nameOf = (change: Change): string =>
  change.kind === 'file' ? change.file.path : `${change.folder.lent.at}/`;

/** Tells contents and modes apart; null = it is gone. */
export const contentOf = (change: Change): string | null =>
  change.kind === 'file' ? entryId(change.file.now) : change.folder.digest;

export const entryId = (entry: TreeEntry | null): string | null =>
  entry === null ? null : `${entry.kind}:${entry.object}:${entry.mode.toString(8)}`;

/** Nothing of this name was there at the start. */
const isNew = (change: Change): boolean => change.kind === 'file' && change.file.before === null;

/** What sorting changes asks of them. */
export const ofChanges = { nameOf, contentOf, isDeliverable, isNew };

/** The changes as a person looks at them before they accept them. */
export async function shownChanges(
  store: StorePlace,
  criterionIds: readonly string[],
  changes: readonly Change[],
  packageChanges: (at: string) => Promise<string>,
): Promise<ShownChange[]> {
  return await Promise.all(
    changes.map(async (change) => ({
      name: nameOf(change),
      criterionIds: [...criterionIds],
      now: contentOf(change),
      ...(change.kind === 'file'
        ? {
            kind: 'beyond_scope' as const,
            before: entryId(change.file.before),
            diff: await diffOf(store, change.file),
          }
        : {
            kind: 'packages' as const,
            before: null,
            diff: await packageChanges(change.folder.lent.at),
          }),
    })),
  );
}

async function diffOf(store: StorePlace, { before, now }: TreeChange): Promise<string> {
  const [old, young] = await Promise.all([bytesOf(store, before), bytesOf(store, now)]);
  const modes = [before, now].map((entry) => (entry === null ? null : gitMode(entry)));
  const isSameMode = modes[0] === modes[1] || modes.includes(null);
  const text = renderDiff(old, young);
  return isSameMode ? text : [`mode ${modes[0]} → ${modes[1]}`, text].filter(Boolean).join('\n');
}

async function bytesOf(store: StorePlace, entry: TreeEntry | null): Promise<Buffer | null> {
  return entry === null ? null : ((await readObjects(store, [entry.object]))[0] ?? null);
}

/** What a proof took from the work, by contents that anybody can compute again. */
export async function provenFiles(
  store: StorePlace,
  changes: readonly Change[],
): Promise<ProvenFile[]> {
  const files = changes.flatMap((change) => (change.kind === 'file' ? [change.file] : []));
  const present = files.flatMap(({ path, now }) => (now === null ? [] : [[path, now] as const]));
  const digests = new Map<string, string>();
  for await (const [path, content] of readEach(store, present)) {
    digests.set(path, createHash('sha256').update(content).digest('hex'));
  }
  return files.map(({ path, now }) => ({
    ...{ path, sha256: digests.get(path) ?? null },
    mode: now === null ? null : gitMode(now),
  }));
}
