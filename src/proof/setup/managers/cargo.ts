import { parse } from 'smol-toml';
import { nameOf } from '../../scope/code-files.ts';
import { Json } from '../../scope/tree.ts';
import {
  type Dependency,
  type Lock,
  type Locked,
  lockedAdditions,
  type Wants,
} from '../additions.ts';
import { isBelow, type PackageManager } from '../setup.ts';

const INPUT = /(^|\/)(Cargo\.(toml|lock)|rust-toolchain(\.toml)?|\.cargo\/config(\.toml)?)$/;

/** Cargo compares what it fetches with the checksums of its lock file, and runs nothing of it. */
export const cargo: PackageManager = {
  tool: 'cargo',
  locks: ['Cargo.lock'],
  async setupOf(folder, lock, { all, read }) {
    // Settings of the folders above count as well.
    const inputs = all.filter(
      (path) => INPUT.test(path) && (isBelow(folder, path) || isSettings(path)),
    );
    const text = (await read(lock)) ?? '';
    if (!/^source = /m.test(text)) return null;
    return { command: 'cargo fetch --locked', inputs, needsTree: 'shape' };
  },
  additions: {
    changes: /(^|\/)Cargo\.(toml|lock)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf,
      registries: [
        'registry+https://github.com/rust-lang/crates.io-index',
        'sparse+https://index.crates.io/',
      ],
      isName: /^[A-Za-z][\w-]*$/,
      foundAs: (name) => name.replaceAll('-', '_'),
    }),
    look: 'crates',
  },
};

const isSettings = (path: string): boolean => !nameOf(path).startsWith('Cargo.');

/** Versions 3 and 4 of the lock file, which differ by how they write addresses of git. */
function lockOf(text: string): Lock | null {
  const { package: list, ...head } = parse(text);
  if (head.version !== 3 && head.version !== 4) return null;
  const own = new Map<string, Wants>();
  const packages = new Map<string, Locked>();
  for (const one of new Json(list).items) {
    const name = one.at('name').text ?? '';
    const version = one.at('version').text ?? '';
    const source = one.at('source').text;
    const key = `${name} ${version} ${source ?? ''}`;
    if (own.has(key) || packages.has(key)) throw new Error(`${key} stands there twice`);
    if (source === undefined) own.set(key, ownWants(one));
    else
      packages.set(key, {
        name,
        version,
        entry: one.value,
        sources: [source],
        issue: issueOf(one),
      });
  }
  return { head, own, packages };
}

const ownWants = (one: Json): Wants => ({
  dependencies: one.at('dependencies').items.map(({ value }) => ({
    // A name with its version stands there if the name alone says too little.
    ...{ list: 'dependencies', name: String(value), spec: value },
    isRange: typeof value === 'string' && /^[\w-]+$/.test(value),
  })),
  rest: one.entries.flatMap(([field, { value }]) =>
    field === 'dependencies' ? [] : [[field, value]],
  ),
});

const FIELDS = new Set(['name', 'version', 'source', 'checksum', 'dependencies']);

function issueOf(one: Json): string | null {
  const unknown = one.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  return /^[0-9a-f]{64}$/.test(one.at('checksum').text ?? '') ? null : 'has no checksum';
}

const LISTS = ['dependencies', 'dev-dependencies'];
const SPEC_FIELDS = new Set(['version', 'features', 'default-features', 'optional']);

function manifestOf(text: string): Wants {
  const toml = new Json(parse(text));
  return {
    dependencies: LISTS.flatMap((list) =>
      toml.at(list).entries.map(([name, spec]) => dependencyOf(list, name, spec)),
    ),
    reserved: toml.at('build-dependencies').entries.map(([name]) => name),
    rest: toml.entries.flatMap(([field, { value }]) =>
      LISTS.includes(field) ? [] : [[field, value]],
    ),
  };
}

function dependencyOf(list: string, name: string, spec: Json): Dependency {
  const isPlain = spec.entries.every(([field]) => SPEC_FIELDS.has(field));
  const version = spec.text ?? (isPlain ? spec.at('version').text : undefined);
  return {
    ...{ list, name, spec: spec.value },
    isRange: version !== undefined && /^[\w.,\s<>=~^*+-]*$/.test(version),
  };
}
