import { readFileSync } from 'node:fs';
import semver from 'semver';
import { expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  /** Installed only where the platform is the right one. */
  readonly optional?: boolean;
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const promised: string = read('package.json').engines.node;
const packages: Record<string, Entry> = read('package-lock.json').packages;

/** `prisma dev` alone loads it, a command that nothing here runs. */
const NEVER_LOADED = ['node_modules/@prisma/streams-local'];

test('no package of the lock file that is ever loaded demands a newer Node than this one promises to run on', () => {
  const demanding = Object.entries(packages)
    .filter(([path, { optional }]) => optional !== true && !NEVER_LOADED.includes(path))
    .filter(([, { engines }]) => engines?.node && !semver.subset(promised, engines.node))
    .map(([path, { version, engines }]) => `${path} ${version} demands ${engines?.node}`);
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(demanding).toEqual([]);
});
