import { readGit, type StorePlace } from './store-git.ts';

interface FoundObject {
  /** Git's id; null = there is none of this name. */
  readonly object: string | null;
  readonly bytes: number;
}

/** Files that git has under names such as `COMMIT:files/PATH`, which hold no line break; a folder is none. */
export async function objectsAt(
  place: StorePlace,
  names: readonly string[],
): Promise<FoundObject[]> {
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname) %(objectsize)'];
  const lines = (await readGit(place, args, `${names.join('\n')}\n`)).toString().split('\n');
  return names.map((_, index) => {
    const [, object, bytes] = /^blob ([0-9a-f]{40}) (\d+)$/.exec(lines[index] ?? '') ?? [];
    return { object: object ?? null, bytes: Number(bytes ?? 0) };
  });
}
