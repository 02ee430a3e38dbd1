import { open } from 'node:fs/promises';

/** A name is on the disk once its folder is. */
export async function syncFolder(folder: string | Buffer): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
