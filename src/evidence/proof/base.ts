import type { BaseFile, ProofBase } from '../../../schema/proof-bundle.ts';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects, sizesOfObjects } from '../../checkpoints/tree.ts';
import { gitMode } from '../../proof-place/tree-id.ts';
import { filesOfCommit } from '../../workspace/git/commit-files.ts';
import type { Proving } from './search.ts';

/** Beyond that a reader needs the repository as it was at the start. */
const MOST_FILES = 5000;
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_A_FILE = 256 * 1024;

/** What others need beside the repository to make the original again. */
export async function baseOf({ gate, trees }: Proving): Promise<ProofBase> {
  const ground = gate.brief.baseline?.proof;
  if (ground === undefined || 'reason' in ground) return { missing: 'the original was not kept' };
  const kept = ground.original;
  const mask = gate.ports.secrets?.mask.text ?? ((text: string) => text);
  const head = kept.head ?? null;
  const committed = head === null ? null : await filesOfCommit(gate.brief.workspace.path, head);
  const { entries } = trees.original;
  const differing = [...entries].filter(([path, entry]) => {
    const known = committed?.get(path);
    return known?.object !== entry.object || known.mode !== gitMode(entry);
  });
  if (differing.length > MOST_FILES) {
    const missing = `${differing.length} files of the original are in no commit of its repository`;
    return { missing };
  }
  return {
    commit: committed === null ? null : head,
    files: await withContents(trees.place, differing, mask),
    gone: [...(committed?.keys() ?? [])].filter((path) => !entries.has(path)),
    unkept: [...kept.leftOut, ...kept.unread],
  };
}

/** A file that holds a secret is named, and its content is not given away. */
async function withContents(
  place: StorePlace,
  differing: readonly (readonly [string, TreeEntry])[],
  mask: (text: string) => string,
): Promise<BaseFile[]> {
  const carried = await fitting(
    place,
    differing.map(([, { object }]) => object),
  );
  const contents = await readObjects(place, carried);
  return differing.map(([path, entry]) => {
    const file = { path, mode: gitMode(entry) as BaseFile['mode'], object: entry.object };
    const content = contents[carried.indexOf(entry.object)];
    const text = content?.toString('latin1') ?? '';
    return content === undefined || mask(text) !== text
      ? file
      : { ...file, content: content.toString('base64') };
  });
}

/** The first objects that there is room for. */
async function fitting(place: StorePlace, objects: readonly string[]): Promise<string[]> {
  const sizes = await sizesOfObjects(place, objects);
  let room = MOST_BYTES;
  return [...objects.entries()].flatMap(([index, object]) => {
    const size = Number(sizes[index]);
    if (!(size <= Math.min(room, MOST_BYTES_A_FILE))) return [];
    room -= size;
    return [object];
  });
}
