import type { PackageManager } from '../setup.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import { gradle, maven } from './jvm.ts';
import { npm } from './npm.ts';
import { pip } from './pip.ts';
import { pnpm } from './pnpm.ts';
import { poetry } from './poetry.ts';
import { uv } from './uv.ts';
import { yarn } from './yarn.ts';

/**
 * A new package manager is a file beside these and a line here. Of those that fill the same folder,
 * the first one does.
 */
export const managers: readonly PackageManager[] = [
  ...[npm, pnpm, yarn, uv, poetry, pip, cargo, go, maven, gradle],
];
