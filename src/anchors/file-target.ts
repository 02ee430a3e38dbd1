import { open, readFile } from 'node:fs/promises';
import type { Anchor } from '../../schema/anchor.ts';
import type { AnchorTarget } from '../contract/anchors.ts';
import { isKept, parseAnchor } from './kept.ts';

/** A file to which lines are only added; `chattr +a` or another host's disk makes that a wall. */
export const fileTarget = (path: string): AnchorTarget => ({
  name: `file:${path}`,
  async put(anchor) {
    const text = await textOf(path);
    if (isKept(anchorsIn(text).at(-1), anchor)) return;
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
  read: async () => anchorsIn(await readFile(path, 'utf8')),
});

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

export const anchorsIn = (text: string): Anchor[] =>
  text.split('\n').flatMap((line) => parseAnchor(line) ?? []);
