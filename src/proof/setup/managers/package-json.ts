import { nameOf } from '../../scope/code-files.ts';
import { Json } from '../../scope/tree.ts';
import type { Wants } from '../additions.ts';

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** What a `package.json` depends on, or a lock file's entry of one. */
export const wantsOf = (manifest: Json): Wants => ({
  dependencies: LISTS.flatMap((list) =>
    manifest.at(list).entries.map(([name, spec]) => ({
      ...{ list, name, spec: spec.value },
      isRange: isRange(spec.text),
    })),
  ),
  reserved: ['peerDependencies', 'overrides', 'resolutions'].flatMap((list) =>
    manifest.at(list).entries.map(([name]) => name),
  ),
  rest: Object.fromEntries(
    manifest.entries
      .filter(([field]) => !LISTS.includes(field))
      .map(([field, value]) => [field, value.value]),
  ),
});

/** Fields that decide what is installed where no script runs. */
const DECIDING =
  /dependenc|^(?:name|overrides|resolutions|workspaces|bin|directories|engines|devEngines|os|cpu|libc|packageManager|pnpm|installConfig|publishConfig)$/i;

/** A manifest without what says how the package is used once it is there. */
export const decidingIn = (manifest: Json): Record<string, unknown> =>
  Object.fromEntries(
    manifest.entries.flatMap(([field, value]): [string, unknown][] =>
      DECIDING.test(field) ? [[field, value.value]] : [],
    ),
  );

/** The same of a text; of a lock file all counts. */
export function decidingManifest(path: string, text: string): string {
  if (nameOf(path) !== 'package.json') return text;
  try {
    return JSON.stringify(decidingIn(new Json(JSON.parse(text))));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

export const wantsIn = (text: string): Wants => wantsOf(new Json(JSON.parse(text)));

/** Of a registry: a range of versions or a tag, no alias, folder, address or repository. */
export const isRange = (text: string | undefined): boolean =>
  text !== undefined && /^[\w.\-+*^~<>=| ]*$/.test(text);

export const PACKAGE_NAME = /^(?:@[\w.\-~]+\/)?[\w\-~][\w.\-~]*$/;

export const isPackageName = (name: string): boolean =>
  PACKAGE_NAME.test(name) && name !== 'node_modules';

/** The folder by which it is found. */
export const foundAs = (name: string): string => name.split('/')[0] ?? '';

/** What stands before `NAME/-/FILE` in an address; null for one of no registry. */
export function registryOf(name: string, address: string | undefined): string | null {
  const [registry, file] = address?.split(`/${name}/-/`) ?? [];
  if (registry === undefined || file === undefined || !/^https?:\/\/[^?#]+$/.test(registry)) {
    return null;
  }
  return /^[\w.\-+]+$/.test(file) ? `${registry}/` : null;
}

/** SHA-256 or stronger, as npm, pnpm and Yarn write it. */
export const isIntegrity = (text: string | undefined): boolean =>
  /^sha(512|384|256)-[\w+/=]+$/.test(text ?? '');
