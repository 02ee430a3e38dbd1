import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { scrubEnvironment } from '../../src/workspace/helper/environment.ts';
import { packagesOf } from './packages.ts';
import type { Project } from './projects.ts';
import type { Delivered, Trajectory } from './trajectory.ts';

const LIMIT_MS = 300_000;
/** As commands of a goal are launched: bash reads no start-up file when nothing is its input. */
const LAUNCH = 'exec bash -o pipefail -c "$1" 2>&1 < /dev/null';

/**
 * Was the work really done? A pristine copy of the project gets only the product files of the
 * workspace, then the real check runs, and a probe that no goal has seen. Nothing that Goalkeeper
 * says is looked at.
 */
export async function isReallyDone(trajectory: Trajectory, workspace: string): Promise<boolean> {
  const rebuilt = await mkdtemp(join(tmpdir(), 'goalkeeper-oracle-'));
  try {
    await rebuild(trajectory.project, workspace, rebuilt);
    await installFor(trajectory.project, rebuilt);
    const run = async (command: string, folder = rebuilt) =>
      (await runShell(command, folder)).exitCode;
    if (trajectory.oracle !== undefined)
      return await trajectory.oracle({ workspace, rebuilt, run });
    return await withoutSight(workspace, () =>
      judge(trajectory.project, { workspace, rebuilt, run }),
    );
  } finally {
    await rm(rebuilt, { recursive: true, force: true });
  }
}

/** What is delivered leads nowhere into the workspace by its absolute path. */
async function withoutSight<Result>(
  workspace: string,
  look: () => Promise<Result>,
): Promise<Result> {
  const aside = `${workspace}.${randomUUID()}`;
  await rename(workspace, aside);
  try {
    return await look();
  } finally {
    await rename(aside, workspace);
  }
}

/** The project's check and its probe, for oracles that ask for more. */
export async function judge(project: Project, { rebuilt, run }: Delivered): Promise<boolean> {
  if ((await run(project.check)) !== 0) return false;
  const { file, content, command } = project.probe;
  await writeFiles(rebuilt, { [file]: content });
  const token = randomUUID();
  const { output } = await runShell(command, rebuilt, { ORACLE_TOKEN: token });
  return output.includes(token);
}

async function rebuild(project: Project, workspace: string, rebuilt: string): Promise<void> {
  await writeFiles(rebuilt, project.files);
  for (const path of project.product) {
    await rm(join(rebuilt, path), { recursive: true, force: true });
    const source = join(workspace, path);
    if (!existsSync(source)) continue;
    await cp(source, join(rebuilt, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: staysInside,
    });
  }
}

/** What was installed at the start, whatever the goal did to it. */
async function installFor({ packages, prepare }: Project, rebuilt: string): Promise<void> {
  if (packages !== undefined) {
    await symlink(await packagesOf(packages), join(rebuilt, 'node_modules'));
  }
  if (prepare !== undefined) await runShell(prepare, rebuilt);
}

/** A link that leads out of the workspace delivers nothing, nor does what Python keeps for itself. */
async function staysInside(source: string): Promise<boolean> {
  if (basename(source) === '__pycache__') return false;
  const target = await readlink(source).catch(() => null);
  return target === null || !(isAbsolute(target) || target.startsWith('..'));
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

/** What a sandbox, where there is one, sets beside it: a home without the person's settings. */
const ofSandbox = environmentOfSandbox();

async function environmentOfSandbox(): Promise<Record<string, string>> {
  const mine = { mode: 'auto', home: tmpdir(), limits: commandLimits() } as const;
  const { protection } = await openSandbox(mine);
  if (protection.bwrap === null) return {};
  const home = join(tmpdir(), 'goalkeeper-oracle-home');
  await mkdir(home, { recursive: true });
  // Rust's tools lie in the person's home unless told.
  const { RUSTUP_HOME = join(homedir(), '.rustup'), CARGO_HOME = join(homedir(), '.cargo') } =
    process.env;
  return { TMPDIR: tmpdir(), HOME: home, RUSTUP_HOME, CARGO_HOME };
}

export async function runShell(
  command: string,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; output: string }> {
  // The same environment as a goal's commands have, so that nothing can tell the two apart by it.
  const env = { ...scrubEnvironment(process.env), ...(await ofSandbox), ...more };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 256 * 1024 * 1024 };
    execFile('sh', ['-c', LAUNCH, 'sh', command], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ exitCode: code, output: stdout + stderr });
    });
  });
}
