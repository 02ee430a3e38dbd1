import { existsSync, readFileSync } from 'node:fs';

/** From the package's own file, which lies at another depth once the sources are built. */
export function productVersion(): string {
  for (const level of ['../', '../../']) {
    const file = new URL(`${level}package.json`, import.meta.url);
    if (existsSync(file))
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return 'unknown';
}
