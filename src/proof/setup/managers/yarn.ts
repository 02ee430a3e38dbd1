import { parseSyml } from '@yarnpkg/parsers';
import { nameOf } from '../../scope/code-files.ts';
import { type Lock, lockedAdditions } from '../additions.ts';
import { at, type Ground, isBelow, type PackageManager, type Unusable } from '../setup.ts';
import { decidingManifest, foundAs, PACKAGE_NAME, wantsIn } from './package-json.ts';
import { berryLock, isBerry } from './yarn-berry-lock.ts';
import { classicLock } from './yarn-classic-lock.ts';

const INPUTS = new Set(['package.json', 'yarn.lock', '.yarnrc', '.yarnrc.yml', '.npmrc']);
/** Yarn itself, as a project may keep it, and what changes how it installs. */
const OWN_PROGRAM = /(^|\/)\.yarn\/(releases|plugins|patches|cache)\//;

export const yarn: PackageManager = {
  tool: 'yarn',
  locks: ['yarn.lock'],
  async setupOf(folder, lock, ground) {
    const inputs = ground.all.filter(
      (path) => isBelow(folder, path) && (INPUTS.has(nameOf(path)) || OWN_PROGRAM.test(path)),
    );
    const command = await commandOf(folder, lock, ground);
    if (typeof command !== 'string') return command;
    return { command, inputs, installs: at(folder, 'node_modules') };
  },
  additions: {
    changes: /(^|\/)(package\.json|yarn\.lock)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf: wantsIn,
      registries: ['https://registry.npmjs.org/', 'https://registry.yarnpkg.com/'],
      isName: PACKAGE_NAME,
      foundAs,
    }),
    deciding: decidingManifest,
    look: 'modules',
  },
};

async function commandOf(
  folder: string,
  lock: string,
  { read }: Ground,
): Promise<string | Unusable> {
  if (!isBerry((await read(lock)) ?? '')) {
    return 'yarn install --frozen-lockfile --ignore-scripts --non-interactive';
  }
  const settings = (await read(at(folder, '.yarnrc.yml'))) ?? '';
  if (/^nodeLinker:\s*["']?(node-modules|pnpm)["']?\s*$/m.test(settings)) {
    return 'yarn install --immutable --mode=skip-build';
  }
  return {
    why: "Yarn's Plug'n'Play leaves no folder of packages: set `nodeLinker: node-modules` in .yarnrc.yml, or name commands of your own (--setup)",
  };
}

function lockOf(text: string): Lock | null {
  const parsed = parseSyml(text);
  return isBerry(text) ? berryLock(parsed) : classicLock(text, parsed);
}
