import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EffectsSession } from '../../contract/effects.ts';

/**
 * Commands without network, and without the caches that others of the goal see.
 * @param onTampered called where a command changed one of these files, also if it changed it back
 */
export const sealedEffects = (
  effects: EffectsSession,
  paths: readonly string[],
  onTampered: () => void,
): EffectsSession => ({
  async runCommand({ reach, ...command }) {
    const root = reach?.root;
    const before = root === undefined ? '' : await stampsIn(root, paths);
    const run = await effects.runCommand({ ...command, reach: { ...reach, isSealed: true } });
    if (root !== undefined && (await stampsIn(root, paths)) !== before) onTampered();
    return run;
  },
  writeFile: (file) => effects.writeFile(file),
  placeEntry: (order) => effects.placeEntry(order),
  close: () => effects.close(),
});

/** No program can set back the kernel's change time. */
async function stampsIn(root: string, paths: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  for (const path of paths) {
    const stats = await lstat(join(root, path), { bigint: true }).catch(() => null);
    stamps.push(stats === null ? 'gone' : `${stats.ino} ${stats.ctimeNs} ${stats.size}`);
  }
  return stamps.join('\n');
}
