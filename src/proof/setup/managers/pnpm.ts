import { parseSyml } from '@yarnpkg/parsers';
import { nameOf } from '../../scope/code-files.ts';
import { Json } from '../../scope/tree.ts';
import { type Lock, type Locked, lockedAdditions } from '../additions.ts';
import { at, isBelow, type PackageManager } from '../setup.ts';
import {
  decidingManifest,
  foundAs,
  isIntegrity,
  isRange,
  PACKAGE_NAME,
  registryOf,
  wantsIn,
} from './package-json.ts';

const INPUTS = new Set([
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', '.pnpmfile.cjs'],
]);

export const pnpm: PackageManager = {
  tool: 'pnpm',
  locks: ['pnpm-lock.yaml'],
  async setupOf(folder, _, { all }) {
    const inputs = all.filter((path) => isBelow(folder, path) && INPUTS.has(nameOf(path)));
    const command = 'pnpm install --frozen-lockfile --ignore-scripts --fetch-retries=1';
    return { command, inputs, installs: at(folder, 'node_modules') };
  },
  additions: {
    changes: /(^|\/)(package\.json|pnpm-lock\.yaml)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf: wantsIn,
      registries: ['https://registry.npmjs.org/'],
      isName: PACKAGE_NAME,
      foundAs,
    }),
    deciding: decidingManifest,
    look: 'modules',
  },
};

/** The parser makes a text of every value. */
function lockOf(text: string): Lock | null {
  const { importers, packages, snapshots, ...head } = parseSyml(text);
  if (head.lockfileVersion !== '9.0') return null;
  return {
    head,
    own: new Map(
      new Json(importers).entries.map(([folder, importer]) => {
        const dependencies = importer.entries.flatMap(([list, one]) =>
          one.entries.map(([name, spec]) => ({
            ...{ list, name, spec: spec.value },
            isRange: isRange(spec.at('specifier').text) && isRange(versionOf(spec)),
          })),
        );
        return [folder, { dependencies, rest: null }];
      }),
    ),
    kept: new Map(new Json(snapshots).entries.map(([key, one]) => [key, one.value])),
    packages: new Map(new Json(packages).entries.map(([key, one]) => [key, lockedOf(key, one)])),
  };
}

/** Without the peers that follow it in parentheses. */
const versionOf = (spec: Json): string | undefined =>
  spec.at('version').text?.replace(/\(.*\)$/, '');

/** All that it writes of a package of a registry. */
const FIELDS = new Set([
  ...['resolution', 'engines', 'os', 'cpu', 'libc', 'hasBin', 'deprecated'],
  ...['peerDependencies', 'peerDependenciesMeta'],
]);

function lockedOf(key: string, one: Json): Locked {
  const end = key.lastIndexOf('@');
  const [name, version] = [key.slice(0, end), key.slice(end + 1)];
  const { value: tarball } = one.at('resolution', 'tarball');
  const from = registryOf(name, typeof tarball === 'string' ? tarball : undefined);
  const sources = tarball === undefined ? [] : [from ?? String(tarball)];
  return { name, version, entry: one.value, sources, issue: issueOf(version, one) };
}

function issueOf(version: string, one: Json): string | null {
  if (!/^\d[\w.\-+]*$/.test(version)) return `comes from ${version}`;
  const unknown = [
    ...one.entries.map(([field]) => field).filter((field) => !FIELDS.has(field)),
    ...one
      .at('resolution')
      .entries.map(([field]) => field)
      .filter((field) => field !== 'integrity' && field !== 'tarball'),
  ];
  if (unknown.length > 0) return `has ${unknown[0]}`;
  return isIntegrity(one.at('resolution', 'integrity').text) ? null : 'has no integrity';
}
