import type { AttachedContents } from '../../contract/attachments.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { readContents } from './contents.ts';

/** Every step of a turn sends the same files again. */
const MOST_REMEMBERED = 64 * 1024 * 1024;

/** Reads contents for requests, and remembers those that it read last. */
export function createAttachedContents(db: Database): AttachedContents {
  const known = new Map<string, Uint8Array>();
  let bytes = 0;
  const keyOf = (goalId: string, sha256: string) => `${goalId} ${sha256}`;

  function remember(key: string, content: Uint8Array): void {
    if (known.has(key)) return;
    known.set(key, content);
    bytes += content.byteLength;
    for (const [oldest, { byteLength }] of known) {
      if (bytes <= MOST_REMEMBERED) return;
      known.delete(oldest);
      bytes -= byteLength;
    }
  }

  return withTypedErrors<AttachedContents>({
    async read(goalId, hashes) {
      const missing = hashes.filter((hash) => !known.has(keyOf(goalId, hash)));
      const read = await readContents(db, goalId, missing);
      const found = hashes.flatMap((hash) => {
        const content = known.get(keyOf(goalId, hash)) ?? read.get(hash);
        return content === undefined ? [] : [[hash, content] as const];
      });
      for (const [hash, content] of read) remember(keyOf(goalId, hash), content);
      return new Map(found);
    },
  });
}
