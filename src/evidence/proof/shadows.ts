import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '../../../schema/scope.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import {
  moduleNamesOf,
  pythonName,
  type Shadowing,
  shadowingOf,
  tailsOf,
} from '../../proof/shadow-names.ts';
import type { InstalledFolder } from '../../proof-place/dependencies.ts';
import { hostProgram } from '../../sandbox/program-path.ts';
import { jvmShadowsIn, namesIn, scriptShadows, type Trees } from './shadows-by-text.ts';

const run = promisify(execFile);

interface Ground {
  readonly scope: Pick<Scope, 'change' | 'keep'>;
  readonly trees: Trees;
  readonly packages: readonly InstalledFolder[];
}

/** Tells whether this file would be found instead of one that lies out of the workspace. */
type Finds = (path: string) => boolean;

/** The new files that take a name of the language's own library, or of an installed package. */
export async function shadowsIn(newFiles: readonly string[], ground: Ground): Promise<string[]> {
  const shadows: string[] = [];
  const known = new Map<Shadowing, Finds>();
  for (const path of newFiles) {
    const language = shadowingOf(path);
    if (language === null) continue;
    const finds = known.get(language) ?? (await resolvers[language](ground, newFiles));
    known.set(language, finds);
    if (finds(path)) shadows.push(path);
  }
  return shadows;
}

/** Each asks the language itself where it looks; without the language nothing is shadowed. */
const resolvers: Record<
  Shadowing,
  (ground: Ground, newFiles: readonly string[]) => Promise<Finds>
> = {
  c: async () =>
    inFolders(
      (await told('cc', ['-E', '-Wp,-v', '-xc++', '/dev/null'])).map((line) => line.trim()),
    ),
  perl: async (ground) =>
    either(
      inFolders(await told('perl', ['-e', 'print "$_\\n" for @INC'])),
      namedAs(ground, 'perl', tailsOf),
    ),
  ruby: async (ground) =>
    either(
      inFolders(await told('ruby', ['--disable-gems', '-e', 'puts $LOAD_PATH'])),
      namedAs(ground, 'ruby', tailsOf),
    ),
  script: (ground) =>
    scriptShadows(ground.trees, ground.packages, namedAs(ground, 'script', moduleNamesOf)),
  jvm: ({ trees }, newFiles) => jvmShadowsIn(trees, newFiles),
  python: async (ground) => {
    const { trees, packages } = ground;
    const names = new Set([
      ...(await told('python3', ['-I', '-c', NAMES])),
      ...installed(packages),
    ]);
    const isThere = (path: string) => trees.present.entries.has(path);
    const nameOf = (path: string) => pythonName(path, isThere);
    const own = namedAs(ground, 'python', (path) => [nameOf(path) ?? ''].filter(Boolean));
    return either((path) => names.has(nameOf(path) ?? ''), own);
  },
};

const NAMES =
  'import sys, pkgutil\n' +
  'print(*sys.stdlib_module_names, *(found.name for found in pkgutil.iter_modules()), sep="\\n")';

const either =
  (one: Finds, other: Finds): Finds =>
  (path) =>
    one(path) || other(path);

/** A file of the judge has this name as well, and the order of folders decides. */
function namedAs(
  { trees, scope }: Ground,
  language: Shadowing,
  namesOf: (path: string) => readonly string[],
): Finds {
  const isWork = scopeTest(scope);
  const judges = [...trees.original.entries.keys()].filter(
    (path) => shadowingOf(path) === language && !isWork(path),
  );
  const names = new Set(judges.flatMap(namesOf));
  return (path) => namesOf(path).some((name) => names.has(name));
}

const inFolders = (lines: readonly string[]): Finds => {
  const folders = lines.filter((line) => line.startsWith('/'));
  return (path) => tailsOf(path).some((tail) => folders.some((one) => existsSync(join(one, tail))));
};

/** Modules of the environments that the goal found installed. */
const installed = (packages: readonly InstalledFolder[]): string[] =>
  packages.flatMap(({ lent }) =>
    namesIn(join(lent.from, 'lib'))
      .filter((name) => name.startsWith('python'))
      .flatMap((name) => namesIn(join(lent.from, 'lib', name, 'site-packages')))
      .map((name) => name.replace(/\..*$/, '')),
  );

/** The lines that the program prints, on either stream. */
async function told(program: string, args: readonly string[]): Promise<string[]> {
  const options = { cwd: '/', timeout: 10_000, env: { PATH: process.env.PATH ?? '' } };
  try {
    const { stdout, stderr } = await run(hostProgram(program), [...args], options);
    return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}
