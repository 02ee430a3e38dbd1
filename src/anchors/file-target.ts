import { access, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AnchorTarget } from '../contract/anchors.ts';
import { anchorsIn, isKept } from './kept.ts';

/** A file to which lines are only added; `chattr +a` or another host's disk makes that a wall. */
export const fileTarget = (path: string): AnchorTarget => ({
  name: `file:${path}`,
  async put(anchor, isOwn) {
    const text = await textOf(path);
    if (await isKept(anchorsIn(text).anchors.at(-1), anchor, isOwn)) return;
    const file = await open(path, 'a', 0o600);
    try {
      // What a crash cut off stays a line of its own.
      const cut = text === '' || text.endsWith('\n') ? '' : '\n';
      await file.write(`${cut}${JSON.stringify(anchor)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  read: async () => anchorsIn(await textOf(path)),
});

/** One without a first head is there once it has one; its folder is. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await access(dirname(path));
    return '';
  }
}
