import { openRepository } from '../../workspace/git/repository.ts';
import { ifSilent } from '../../workspace/git/run-git.ts';
import { resolveInside } from '../../workspace/paths.ts';
import { readTextFile } from '../../workspace/text-file.ts';
import type { GateRun } from '../criterion-check.ts';

const LONGEST_CHANGE = 80_000;
const LONGEST_FILE = 20_000;

/** The change for a reviewer: a diff in a git repository, new and other files whole. */
export async function readChange({ receipts, brief }: GateRun): Promise<string> {
  const { path } = brief.workspace;
  const written = new Set(receipts.flatMap(({ receipt }) => receipt?.writes ?? []));
  const repository = await openRepository(path).catch(ifSilent(null));
  if (repository === null) return joined(await wholeFiles(path, [...written]));
  try {
    const since = Object.values(brief.baseline?.seen ?? {}).find(({ git }) => git !== undefined);
    const from = since?.git?.head ?? repository.head;
    const diff = await repository.diffSince(from).catch(ifSilent(null));
    if (diff === null) return joined(await wholeFiles(path, [...written]));
    const fresh = (await repository.untracked()).filter((file) => written.has(file));
    return joined([diff, ...(await wholeFiles(path, fresh))]);
  } finally {
    await repository.close();
  }
}

async function wholeFiles(workspace: string, paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of [...paths].sort()) {
    const file = await resolveInside(workspace, path)
      .then(({ absolute }) => readTextFile(absolute, path))
      .catch(() => null);
    const text = file?.ok === true ? file.text.slice(0, LONGEST_FILE) : '(gone, or no text)';
    files.push(`=== ${path}\n${text}`);
  }
  return files;
}

function joined(parts: readonly string[]): string {
  const text = parts.filter((part) => part.trim() !== '').join('\n');
  if (text === '') return '(nothing was changed)';
  return text.length <= LONGEST_CHANGE
    ? text
    : `${text.slice(0, LONGEST_CHANGE)}\n(cut: the change is longer)`;
}
