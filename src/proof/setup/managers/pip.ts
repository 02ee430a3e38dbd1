import { type Lock, type Locked, lockedAdditions } from '../additions.ts';
import { at, type PackageManager } from '../setup.ts';
import { environmentIn } from './environments.ts';
import { DISTRIBUTION, moduleOf, normalName } from './pyproject.ts';

const REQUIREMENTS = [
  ...['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt'],
  ...['dev-requirements.txt', 'test-requirements.txt', 'requirements_dev.txt'],
];

/** An environment is made where a check runs a program of one: wheels alone, which run nothing. */
export const pip: PackageManager = {
  tool: 'pip',
  locks: REQUIREMENTS,
  isAtTop: true,
  async setupOf(folder, _, ground) {
    const environment = environmentIn(ground.commands);
    if (environment === undefined) return null;
    const inputs = REQUIREMENTS.filter((path) => ground.has(path)).sort();
    const install = `${environment}/bin/python -m pip install --no-input --disable-pip-version-check`;
    const files = inputs.map((path) => `-r ${path}`).join(' ');
    const others = ['pip.conf', 'constraints.txt'].filter((path) => ground.has(path));
    return {
      command: `python3 -m venv ${environment} && ${install} --only-binary :all: ${files}`,
      inputs: [...inputs, ...others].sort(),
      installs: at(folder, environment),
      needsTree: 'content',
      isBoundToPath: true,
    };
  },
  additions: {
    changes: new RegExp(`^(${REQUIREMENTS.join('|').replaceAll('.', '\\.')})$`),
    judge: lockedAdditions({
      lockOf,
      manifestOf: (text) => ({ dependencies: [], rest: text }),
      registries: [],
      isName: DISTRIBUTION,
      foundAs: moduleOf,
    }),
    look: 'environment',
  },
};

const PINNED =
  /^([\w.-]+)(?:\[[\w.,\s-]*\])?\s*==\s*([\w.+!-]+)\s*(?:;\s*[^#]*?)?((?:\s+--hash[=\s]\s*\S+)*)$/;

/** A lock file only where each line has one version and its digests, as pip-compile writes them. */
function lockOf(text: string): Lock | null {
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');
  const packages = new Map<string, Locked>();
  for (const line of lines.filter((one) => !one.startsWith('-'))) {
    const [, written, version = '', hashes = ''] = PINNED.exec(line) ?? [];
    if (written === undefined || hashes === '') return null;
    const isWhole = hashes
      .trim()
      .split(/\s+/)
      .every((hash) => /^--hash=sha(256|384|512):[0-9a-f]{64,}$/.test(hash));
    const name = normalName(written);
    const issue = isWhole ? null : 'has no hash';
    packages.set(`${line}`, { name, version, entry: line, sources: [], issue });
  }
  return { head: lines.filter((line) => line.startsWith('-')), own: new Map(), packages };
}
