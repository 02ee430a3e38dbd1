import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The console lies beside this file in a build, and below `dist` when run from sources. */
const places = ['../../console/', '../../dist/console/'];

export function findConsole(): string | null {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`)) ?? null;
}
