import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ScopeFacts } from '../proof/scope/scope-notices.ts';
import { isInRepository } from '../workspace/git/repository.ts';
import { runGit } from '../workspace/git/run-git.ts';

type Facts = Pick<ScopeFacts, 'repository' | 'submodules' | 'lfsPointers'>;

/** More files of LFS say nothing more. */
const MOST_LOOKED_AT = 2000;

/** What git knows of a workspace that a copy of its files does not show. */
export async function repositoryFacts(workspace: string): Promise<Facts> {
  const ask = async (...args: string[]) => await runGit({ folder: workspace }, args);
  if (!(await isInRepository(workspace))) {
    return { repository: 'none', submodules: [], lfsPointers: [] };
  }
  const head = await ask('rev-parse', '-q', '--verify', 'HEAD^{commit}');
  const staged = (await ask('ls-files', '-s', '-z'))?.split('\0') ?? [];
  const submodules = staged.flatMap((line) => /^160000 [^\t]*\t(.+)$/s.exec(line)?.[1] ?? []);
  const large = (await ask('ls-files', '-z', '--', ':(attr:filter=lfs)'))?.split('\0') ?? [];
  const lfsPointers = large
    .filter(Boolean)
    .slice(0, MOST_LOOKED_AT)
    .filter((path) => isPointer(join(workspace, path)));
  return { repository: head === null ? 'no_commit' : 'committed', submodules, lfsPointers };
}

const POINTER = 'version https://git-lfs.github.com/spec/';

function isPointer(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const begin = Buffer.alloc(POINTER.length);
      return (
        readSync(file, begin, 0, begin.length, 0) === begin.length &&
        begin.equals(Buffer.from(POINTER))
      );
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
