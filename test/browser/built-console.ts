import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../scripts/build-console.ts';

const sources = fileURLToPath(new URL('../../src/ui/', import.meta.url));
const built = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** Where the service finds it, made from the present sources. */
export async function builtConsole(): Promise<void> {
  const page = join(built, 'index.html');
  if (existsSync(page) && statSync(page).mtimeMs > newestIn(sources)) return;
  await buildConsole(built);
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}
