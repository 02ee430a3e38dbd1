import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShell, writeFiles } from './oracle.ts';
import { installPackages } from './packages.ts';
import type { Project } from './projects.ts';
import type { ScopeKind, Trajectory } from './trajectory.ts';

/** Makes the project as somebody finds it who begins to work. */
export async function furnish(
  folder: string,
  { project, prepare }: Pick<Trajectory, 'project' | 'prepare'>,
): Promise<void> {
  await writeFiles(folder, project.files);
  if (project.packages !== undefined) await installPackages(project.packages, folder);
  if (prepare === undefined) return;
  const { exitCode, output } = await runShell(prepare, folder);
  if (exitCode !== 0) throw new Error(`the workspace could not be prepared: ${output}`);
}

/** What a caller declares who knows the project; undefined: the host has to find out. */
export function declaredScope(
  { change, project }: Pick<Trajectory, 'change' | 'project'>,
  scope: ScopeKind,
): { change: string[] } | undefined {
  if (scope === 'inferred') return undefined;
  return { change: [...(change ?? globsOf(project))] };
}

const globsOf = ({ product, files }: Project): string[] =>
  product.map((path) => (path in files || /\.\w+$/.test(path) ? path : `${path}/**`));

const ASIDE = ['.git', 'node_modules', '.venv', 'target', '__pycache__'];
const MOST_LINES = 60;

/** What was done to the project, without what is installed or built. */
export async function diffOf(project: Project, workspace: string): Promise<string> {
  const original = await mkdtemp(join(tmpdir(), 'goalkeeper-original-'));
  try {
    await writeFiles(original, project.files);
    const flags = ['-ruN', '--no-dereference', ...ASIDE.flatMap((name) => ['-x', name])];
    const text = await new Promise<string>((resolve) => {
      const folders = [original, workspace];
      execFile('diff', [...flags, ...folders], { maxBuffer: 1 << 26 }, (_, stdout) =>
        resolve(String(stdout)),
      );
    });
    const lines = text
      .replaceAll(`${original}/`, 'a/')
      .replaceAll(`${workspace}/`, 'b/')
      .split('\n');
    const shown = lines.filter((line) => !line.startsWith('diff -ruN'));
    if (shown.length <= MOST_LINES) return shown.join('\n').trim();
    return `${shown.slice(0, MOST_LINES).join('\n')}\n… ${shown.length - MOST_LINES} more lines`;
  } finally {
    await rm(original, { recursive: true, force: true });
  }
}
