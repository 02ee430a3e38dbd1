import { type Json, join, jsonIn } from '../../scope/tree.ts';
import { at, type Ground, type PackageManager } from '../setup.ts';
import { npmAdditions } from './npm-additions.ts';
import { decidingIn, decidingManifest } from './package-json.ts';

/** Scripts of packages never run: the network is open. */
export const npm: PackageManager = {
  tool: 'npm',
  locks: ['npm-shrinkwrap.json', 'package-lock.json'],
  async setupOf(folder, lock, ground) {
    const inputs = await inputsOf(folder, lock, ground);
    if (inputs === null) return null;
    const command = 'npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1';
    return { command, inputs, installs: at(folder, 'node_modules') };
  },
  additions: { changes: /(^|\/)package(-lock)?\.json$/, judge: npmAdditions, deciding },
};

/**
 * A lock file repeats of each own package what its manifest says, and the version at its head. An own
 * package that is new takes no place of what was there: its folder and the link to it are left out.
 */
function deciding(path: string, text: string, before: string): string {
  if (!/lock|shrinkwrap/.test(path)) return decidingManifest(path, text);
  const { version: _, ...head } = (jsonIn(text).value ?? {}) as Record<string, unknown>;
  const known = new Set(
    jsonIn(before)
      .at('packages')
      .entries.map(([place]) => place),
  );
  const isNew = (place: string) => !(isInstalled(place) || known.has(place));
  const packages = jsonIn(text)
    .at('packages')
    .entries.filter(([place, entry]) => {
      const leads = entry.at('link').value === true ? (entry.at('resolved').text ?? place) : place;
      return known.has(place) || !isNew(leads);
    })
    .map(([place, entry]) => [place, isInstalled(place) ? entry.value : decidingIn(entry)]);
  return JSON.stringify({ ...head, packages: Object.fromEntries(packages) });
}

const isInstalled = (place: string): boolean => place.includes('node_modules/');

/** @returns null where nothing is to be installed */
async function inputsOf(folder: string, lock: string, ground: Ground): Promise<string[] | null> {
  const packages = jsonIn(await ground.read(lock)).at('packages');
  const places = packages.entries.map(([place]) => place);
  if (!places.some((place) => place.includes('node_modules/'))) return null;
  const members = places.filter((place) => !place.includes('node_modules/'));
  const manifests = members.map((member) => at(folder, at(member, 'package.json')));
  const inputs = [lock, at(folder, '.npmrc'), ...manifests, ...archivesOf(folder, packages)];
  return inputs.filter((path) => ground.has(path)).sort();
}

/** Packages that lie in the project as archives: `"resolved": "file:vendor/same-1.0.0.tgz"`. */
const archivesOf = (folder: string, packages: Json): string[] =>
  packages.entries.flatMap(([, one]) => {
    const [, path] = /^file:(.+)$/.exec(one.at('resolved').text ?? '') ?? [];
    return path === undefined ? [] : (join(folder, path) ?? []);
  });
