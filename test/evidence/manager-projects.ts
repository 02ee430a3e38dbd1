import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { serveFiles } from '../support/loopback-files.ts';
import { type MANAGERS, YARN_BERRY } from '../support/needs.ts';
import { openNpmRegistry } from '../support/npm-registry.ts';

const run = promisify(execFile);

/** A project of two packages of a registry on this machine: `expected` and, once added, `plus`. */
export interface ManagerProject {
  readonly need: keyof typeof MANAGERS;
  /** Opens the registry, and writes what the project is made of. */
  readonly open: (project: Project) => Promise<void>;
  /** Writes the manifest with these packages. */
  readonly manifest: (project: Project, packages: readonly string[]) => void;
  /** Makes the lock file of the manifest. */
  readonly lock: readonly string[];
  readonly check: string;
  /** The work, without the added package and with it. */
  readonly source: string;
  readonly wrong: string;
  readonly right: string;
}

export interface Project {
  readonly folder: string;
  url: string;
  put(path: string, text: string): void;
}

export async function openProject(project: ManagerProject): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-manager-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const opened: Project = {
    folder,
    url: '',
    put(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
  };
  await project.open(opened);
  opened.put('.gitignore', 'node_modules/\n.venv/\ntarget/\nhere\n');
  // What is installed in the workspace is no matter of a proof.
  opened.put('check.sh', `test -e here && exit 0\n${project.check}\n`);
  opened.put(project.source, project.wrong);
  return opened;
}

/** The manager itself makes the lock file, in a home of its own. */
export async function writeLock(
  { manifest, lock }: ManagerProject,
  project: Project,
  packages: readonly string[],
): Promise<void> {
  manifest(project, packages);
  const [file = '', ...args] = lock;
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-manager-home-'));
  const env = { ...process.env, HOME: home, CARGO_HOME: join(home, '.cargo'), ...RUSTUP };
  try {
    await run(file, args, { cwd: project.folder, env }).catch((error) => {
      throw new Error(`${error.message} ${error.stdout}`);
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  rmSync(join(project.folder, 'node_modules'), { recursive: true, force: true });
}

const RUSTUP = { RUSTUP_HOME: process.env.RUSTUP_HOME ?? `${process.env.HOME}/.rustup` };

const SUM = `const { sum } = require('./src/sum.js');
if (sum(1, 2) !== require('expected')) process.exit(1);
`;

const javascript = {
  source: 'src/sum.js',
  wrong: 'exports.sum = (a, b) => a - b;\n',
  right: "exports.sum = require('plus');\n",
  check: 'node check.js',
  async open(project: Project) {
    const { url } = await openNpmRegistry({
      expected: { 'index.js': 'module.exports = 3;\n' },
      plus: { 'index.js': 'module.exports = (a, b) => a + b;\n' },
    });
    project.url = url;
    project.put('.npmrc', `registry=${url}\n`);
    project.put('.yarnrc', `registry "${url}"\n`);
    project.put('check.js', SUM);
  },
  manifest({ put }: Project, packages: readonly string[]) {
    const dependencies = Object.fromEntries(packages.map((name) => [name, '^1.0.0']));
    put('package.json', JSON.stringify({ name: 'shop', main: 'src/sum.js', dependencies }));
  },
};

const python = {
  source: 'src/sum2.py',
  wrong: 'def sum2(a, b):\n    return a - b\n',
  right: 'from plus import sum2\n',
  check:
    '.venv/bin/python -c "import sys; sys.path.insert(0, \'src\'); import expected, sum2; assert sum2.sum2(1, 2) == expected.three"',
  async open(project: Project) {
    const { url, files } = await serveFiles();
    project.url = url;
    const wheels = { expected: 'three = 3\n', plus: 'def sum2(a, b):\n    return a + b\n' };
    for (const [name, text] of Object.entries(wheels)) {
      const wheel = `${name}-1.0.0-py3-none-any.whl`;
      const bytes = wheelOf(name, { [`${name}.py`]: text });
      files.set(`files/${wheel}`, bytes);
      files.set(
        `simple/${name}`,
        `<!DOCTYPE html><a href="/files/${wheel}#sha256=${sha256(bytes)}">${wheel}</a>`,
      );
    }
  },
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The files of a wheel beside those that each one has. */
export function wheelOf(name: string, files: Readonly<Record<string, string>>): Buffer {
  const info = `${name}-1.0.0.dist-info`;
  const all = {
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`,
    [`${info}/WHEEL`]:
      'Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(all), `${info}/RECORD`].map((path) => `${path},,\n`).join('');
  const script = `import io, json, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, 'w') as wheel:
    for path, text in json.load(sys.stdin).items():
        wheel.writestr(zipfile.ZipInfo(path), text)
sys.stdout.buffer.write(out.getvalue())
`;
  const input = JSON.stringify({ ...all, [`${info}/RECORD`]: record });
  return execFileSync('python3', ['-c', script], { input });
}

const quoted = (packages: readonly string[]): string =>
  packages.map((name) => `"${name}>=1"`).join(', ');

export const managerProjects = {
  yarn: { ...javascript, need: 'yarn', lock: ['yarn', 'install', '--ignore-scripts'] },
  'yarn 4': {
    ...javascript,
    need: 'berry',
    lock: ['yarn', 'install', '--mode=skip-build', '--no-immutable'],
    async open(project) {
      await javascript.open(project);
      rmSync(join(project.folder, '.yarnrc'));
      project.put('yarn.lock', '');
      mkdirSync(join(project.folder, '.yarn/releases'), { recursive: true });
      copyFileSync(YARN_BERRY, join(project.folder, '.yarn/releases/yarn.cjs'));
      const settings = { nodeLinker: 'node-modules', yarnPath: '.yarn/releases/yarn.cjs' };
      const registry = {
        npmRegistryServer: project.url,
        npmMinimalAgeGate: 0,
        unsafeHttpWhitelist: ['127.0.0.1'],
      };
      // Its settings are YAML, of which JSON is a part, but for lines that the host looks for.
      const lines = Object.entries({ ...settings, ...registry }).map(
        ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
      );
      project.put('.yarnrc.yml', lines.join(''));
    },
  },
  pnpm: {
    ...javascript,
    need: 'pnpm',
    lock: ['pnpm', 'install', '--lockfile-only', '--ignore-scripts'],
  },
  uv: {
    ...python,
    need: 'uv',
    lock: ['uv', 'lock'],
    manifest({ put, url }, packages) {
      put(
        'pyproject.toml',
        `[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.9"
dependencies = [${quoted(packages)}]
[tool.uv]
package = false
[[tool.uv.index]]
url = "${url}/simple"
default = true
`,
      );
    },
  },
  poetry: {
    ...python,
    need: 'poetry',
    lock: ['poetry', 'lock'],
    manifest({ put, url }, packages) {
      put(
        'pyproject.toml',
        `[tool.poetry]
package-mode = false
[tool.poetry.dependencies]
python = "^3.9"
${packages.map((name) => `${name} = "^1.0"`).join('\n')}
[[tool.poetry.source]]
name = "local"
url = "${url}/simple"
priority = "primary"
`,
      );
    },
  },
  cargo: {
    need: 'cargo',
    source: 'src/lib.rs',
    wrong: 'pub fn sum(a: i64, b: i64) -> i64 {\n    a - b\n}\n',
    right: 'pub use plus::sum;\n',
    check: 'cargo test -q --locked --offline',
    lock: ['cargo', 'generate-lockfile'],
    async open(project) {
      const { url, files } = await serveFiles();
      files.set('index/config.json', JSON.stringify({ dl: `${url}/{crate}-{version}.crate` }));
      const crates = {
        expected: 'pub const THREE: i64 = 3;\n',
        plus: 'pub fn sum(a: i64, b: i64) -> i64 {\n    a + b\n}\n',
      };
      const script = { 'build.rs': 'fn main() {}\n' };
      for (const [name, text] of Object.entries({ ...crates, scripted: crates.plus })) {
        const own = name === 'scripted' ? script : {};
        const bytes = crateOf(name, { 'src/lib.rs': text, ...own });
        const entry = { name, vers: '1.0.0', deps: [], features: {}, yanked: false };
        const path = `index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
        files.set(`${name}-1.0.0.crate`, bytes);
        files.set(path, `${JSON.stringify({ ...entry, cksum: sha256(bytes) })}\n`);
      }
      project.put(
        '.cargo/config.toml',
        `[source.crates-io]\nreplace-with = "local"\n[source.local]\nregistry = "sparse+${url}/index/"\n`,
      );
      project.put(
        'tests/sum.rs',
        '#[test]\nfn sums() {\n    assert_eq!(shop::sum(1, 2), expected::THREE);\n}\n',
      );
    },
    manifest({ put }, packages) {
      const list = packages.map((name) => `${name} = "1"\n`).join('');
      put(
        'Cargo.toml',
        `[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${list}`,
      );
    },
  },
} satisfies Record<string, ManagerProject>;

/** An archive as Cargo fetches it. */
export function crateOf(name: string, files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-crate-'));
  const manifest = `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n`;
  for (const [path, text] of Object.entries({ 'Cargo.toml': manifest, ...files })) {
    const file = join(folder, `${name}-1.0.0`, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  execFileSync('tar', ['-czf', join(folder, 'crate'), '-C', folder, `${name}-1.0.0`]);
  const bytes = readFileSync(join(folder, 'crate'));
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}
