import { fetchDiff, type Range } from '../../api/changes.ts';
import type { FileChange } from '../../api/types.ts';
import { plural } from '../../view/format.ts';

/** A clipboard takes no more than this in one piece everywhere. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Copies the diff of these files, and says how many and what is missing. */
export async function copyPatch(
  goalId: string,
  range: Range,
  files: readonly FileChange[],
): Promise<string> {
  const wanted = new Set(files.map(({ path }) => path));
  const texts: string[] = [];
  let [size, left, cursor] = [0, 0, null as string | null];
  do {
    const page: Awaited<ReturnType<typeof fetchDiff>> = await fetchDiff(goalId, range, cursor);
    for (const { path, diff, isCut, isBinary } of page.files) {
      if (!wanted.has(path)) continue;
      if (diff === undefined || isCut || isBinary || size > MAX_CHARACTERS) left += 1;
      else {
        texts.push(diff.endsWith('\n') ? diff : `${diff}\n`);
        size += diff.length;
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  const text = texts.join('');
  await navigator.clipboard.writeText(text);
  const notes = [
    ...(left === 0 ? [] : [`${left} too large or binary left out`]),
    ...(/<U\+[0-9A-F]{4,6}>/.test(text) ? ['marks stand for characters that can’t be seen'] : []),
  ];
  const done = `Patch of ${plural(texts.length, 'file')} copied`;
  return notes.length === 0 ? `${done}.` : `${done}; ${notes.join('; ')}.`;
}
