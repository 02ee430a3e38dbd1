import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside this file where it was built, below `dist` where it runs from its sources. */
const places = ['../../console/', '../../dist/console/'];

export function findConsole(): string | null {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`)) ?? null;
}
