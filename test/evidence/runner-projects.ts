import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CommandCriterion } from '../../schema/criteria.ts';
import { type ReportedRun, runReported } from '../../src/evidence/report/instrument.ts';
import { resolveCommand } from '../../src/evidence/runners/resolve.ts';
import { temporaryFolder, testEffects } from '../tools/support.ts';

export async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await write(folder, files);
  return folder;
}

export async function write(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** What this repository has installed, for a project that needs it. */
export async function linkModules(folder: string): Promise<void> {
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
}

/** Runs a command as the host does, with the reporters of its test runners. */
export async function reported(
  folder: string,
  spec: Omit<CommandCriterion, 'kind'>,
): Promise<ReportedRun & { readonly text: string }> {
  const { effects } = testEffects();
  const criterion = { kind: 'command' as const, ...spec };
  const order = {
    command: spec.command,
    cwd: join(folder, spec.cwd ?? '.'),
    timeoutMs: 60_000,
    maxOutputBytes: 1024 * 1024,
    signal: new AbortController().signal,
  };
  const seen = await runReported(effects, order, await resolveCommand(folder, criterion));
  return { ...seen, text: Buffer.from(seen.run.output).toString('utf8') };
}

/** Folders of reports that runs of this process left behind. */
export async function reportFolders(): Promise<string[]> {
  const own = `goalkeeper-report-${process.pid}-`;
  return (await readdir(tmpdir())).filter((name) => name.startsWith(own));
}
