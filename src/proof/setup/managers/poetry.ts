import { parse } from 'smol-toml';
import { Json } from '../../scope/tree.ts';
import { type Lock, type Locked, lockedAdditions } from '../additions.ts';
import { at, type PackageManager } from '../setup.ts';
import { usesEnvironment } from './environments.ts';
import { DISTRIBUTION, moduleOf, normalName, pyprojectWants } from './pyproject.ts';

const INPUTS = ['poetry.lock', 'poetry.toml', 'pyproject.toml'];
const PYPI = 'https://pypi.org/simple';

/** Wheels alone, and then the project's own modules by their place. */
export const poetry: PackageManager = {
  tool: 'poetry',
  locks: ['poetry.lock'],
  async setupOf(folder, _, ground) {
    if (!usesEnvironment(ground.commands)) return null;
    const settings = 'POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_INSTALLER_ONLY_BINARY=:all:';
    const install = `${settings} poetry install --no-interaction`;
    return {
      command: `${install} --no-root && ${install} --only-root`,
      inputs: INPUTS.map((name) => at(folder, name)).filter((path) => ground.has(path)),
      installs: at(folder, '.venv'),
      needsTree: 'content',
      isBoundToPath: true,
    };
  },
  additions: {
    changes: /(^|\/)(pyproject\.toml|poetry\.lock)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf: pyprojectWants,
      registries: [PYPI],
      isName: DISTRIBUTION,
      foundAs: moduleOf,
    }),
    look: 'environment',
  },
};

/** The groups of dependencies that a package belongs to move whenever something is added. */
const MARKS = ['groups', 'optional', 'markers'];

/** Lock files of Poetry 1.3 and newer. */
function lockOf(text: string): Lock | null {
  const { package: list, metadata, ...head } = parse(text);
  const known = new Json(metadata);
  if (!['2.0', '2.1'].includes(known.at('lock-version').text ?? '')) return null;
  const packages = new Map<string, Locked>();
  for (const one of new Json(list).items) {
    const found = lockedOf(one);
    const key = `${found.name} ${found.version} ${found.sources[0]}`;
    if (packages.has(key)) throw new Error(`${found.name} stands there twice`);
    packages.set(key, found);
  }
  return {
    // The digest is that of the manifest.
    head: [
      head,
      known.entries.flatMap(([key, { value }]) => (key === 'content-hash' ? [] : [key, value])),
    ],
    own: new Map(),
    packages,
  };
}

const FIELDS = new Set([
  ...['name', 'version', 'description', 'python-versions', 'files', 'dependencies', 'extras'],
  ...['source', ...MARKS],
]);

function lockedOf(one: Json): Locked {
  const [kind, url] = [one.at('source', 'type').text, one.at('source', 'url').text];
  const isRegistry =
    one.at('source').value === undefined || (kind === 'legacy' && url !== undefined);
  const fields = one.entries.filter(([field]) => !MARKS.includes(field));
  const name = normalName(one.at('name').text ?? '');
  return {
    ...{ name, version: one.at('version').text ?? '' },
    entry: Object.fromEntries(fields.map(([field, { value }]) => [field, value])),
    sources: [isRegistry ? (url ?? PYPI) : JSON.stringify(one.at('source').value)],
    issue: issueOf(name, one),
  };
}

function issueOf(name: string, one: Json): string | null {
  const unknown = one.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  const files = one.at('files').items;
  const hasHash = (file: Json) => /^sha256:[0-9a-f]{64}$/.test(file.at('hash').text ?? '');
  if (files.length === 0 || !files.every(hasHash)) return 'has no hash';
  const isOf = (file: Json) => normalName(file.at('file').text ?? '').startsWith(`${name}-`);
  const other = files.find((file) => !isOf(file));
  return other === undefined ? null : `is the file ${other.at('file').text}`;
}
