import { parse } from 'smol-toml';
import { nameOf } from '../../scope/code-files.ts';
import { Json } from '../../scope/tree.ts';
import { type Lock, type Locked, lockedAdditions, type Wants } from '../additions.ts';
import { at, isBelow, type PackageManager } from '../setup.ts';
import { usesEnvironment } from './environments.ts';
import { DISTRIBUTION, moduleOf, normalName, pyprojectWants } from './pyproject.ts';

const INPUTS = new Set(['pyproject.toml', 'uv.lock', 'uv.toml', '.python-version']);

/**
 * Packages are wheels, which run nothing. Only the project's own are built, from the original,
 * because that is how its modules are found.
 */
export const uv: PackageManager = {
  tool: 'uv',
  locks: ['uv.lock'],
  async setupOf(folder, _, { all, commands }) {
    if (!usesEnvironment(commands)) return null;
    const sync = 'uv sync --frozen --no-progress --no-python-downloads --link-mode copy';
    return {
      command: `${sync} --no-build --no-install-workspace && ${sync}`,
      inputs: all.filter((path) => isBelow(folder, path) && INPUTS.has(nameOf(path))),
      installs: at(folder, '.venv'),
      needsTree: 'content',
      isBoundToPath: true,
    };
  },
  additions: {
    changes: /(^|\/)(pyproject\.toml|uv\.lock)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf: pyprojectWants,
      registries: ['https://pypi.org/simple', 'https://files.pythonhosted.org'],
      isName: DISTRIBUTION,
      foundAs: moduleOf,
    }),
    look: 'environment',
  },
};

/** Revisions of version 1 differ by fields that older ones pass over. */
function lockOf(text: string): Lock | null {
  const { package: list, ...head } = parse(text);
  if (head.version !== 1) return null;
  const own = new Map<string, Wants>();
  const packages = new Map<string, Locked>();
  for (const one of new Json(list).items) {
    const name = one.at('name').text ?? '';
    const { value: source } = one.at('source');
    const key = `${name} ${one.at('version').text} ${JSON.stringify(source)}`;
    const isOwn = ['editable', 'virtual', 'directory'].some(
      (kind) => one.at('source', kind).value !== undefined,
    );
    if (own.has(key) || packages.has(key)) throw new Error(`${name} stands there twice`);
    if (isOwn) own.set(key, ownWants(one));
    else packages.set(key, lockedOf(name, one));
  }
  return { head, own, packages };
}

function ownWants(one: Json): Wants {
  const listsIn = (field: string) =>
    one.at(field).entries.map(([name, list]): [string, Json] => [`${field} ${name}`, list]);
  const lists: [string, Json][] = [
    ['dependencies', one.at('dependencies')],
    ...listsIn('optional-dependencies'),
    ...listsIn('dev-dependencies'),
  ];
  return {
    dependencies: lists.flatMap(([list, ones]) =>
      ones.items.map((dependency) => ({
        // One name may be there for each of several versions of Python.
        list: `${list} ${dependency.at('marker').text ?? ''}`,
        name: dependency.at('name').text ?? '',
        spec: dependency.value,
        isRange: dependency.entries.every(([field]) => OWN_FIELDS.has(field)),
      })),
    ),
    // What it was made of says the same once more.
    rest: one.entries.flatMap(([field, { value }]) => (LISTS.has(field) ? [] : [[field, value]])),
  };
}

const LISTS = new Set(['dependencies', 'optional-dependencies', 'dev-dependencies', 'metadata']);

/** Without `extra`, which could bring in more of a package that was there. */
const OWN_FIELDS = new Set(['name', 'marker', 'specifier', 'version', 'source']);

const FIELDS = new Set([
  ...['name', 'version', 'source', 'sdist', 'wheels', 'dependencies', 'optional-dependencies'],
  ...['resolution-markers', 'metadata'],
]);

function lockedOf(name: string, one: Json): Locked {
  const registry = one.at('source', 'registry').text;
  const wheels = one.at('wheels').items;
  const addresses = wheels.map((wheel) => wheel.at('url').text ?? 'nowhere');
  return {
    ...{ name, version: one.at('version').text ?? '', entry: one.value },
    sources: [registry ?? JSON.stringify(one.at('source').value), ...addresses.map(originOf)],
    issue: issueOf(name, one, wheels),
  };
}

const originOf = (address: string): string => /^https?:\/\/[^/?#]+/.exec(address)?.[0] ?? address;

function issueOf(name: string, one: Json, wheels: readonly Json[]): string | null {
  const unknown = one.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  if (wheels.length === 0) return 'has no wheel';
  for (const wheel of wheels) {
    if (!/^sha(256|384|512):[0-9a-f]{64,}$/.test(wheel.at('hash').text ?? '')) {
      return 'has no hash';
    }
    const file = wheel.at('url').text?.split('/').at(-1) ?? '';
    if (normalName(file.split('-')[0] ?? '') !== name) return `is the wheel ${file}`;
  }
  return null;
}
