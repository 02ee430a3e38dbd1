import { execFile } from 'node:child_process';
import type { AnchorTarget } from '../contract/anchors.ts';
import { hostProgram } from '../sandbox/program-path.ts';
import { anchorsIn, isKept } from './kept.ts';

const MOST_BYTES = 1024 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** One commit without files for each head, on a ref of its own; the message holds the head. */
export function gitTarget(path: string, name: string): AnchorTarget {
  const ref = name.startsWith('refs/') ? name : `refs/heads/${name}`;
  const git = (args: readonly string[], input = '') => runGit(path, args, input);
  /** Heads that the ref's first commits hold; `newest` alone for a look before the next one. */
  async function kept(which: 'newest' | 'all') {
    const tip = await tipOf();
    if (tip === null) return { tip, anchors: [], damaged: [] };
    const most = which === 'newest' ? ['-n', '1'] : ['--reverse'];
    const text = await git(['log', ...most, '--first-parent', '--format=%b', tip]);
    return { tip, ...anchorsIn(text) };
  }
  const tipOf = async (): Promise<string | null> =>
    (await git(['for-each-ref', '--format=%(objectname)', ref])).trim() || null;
  return {
    name: `git:${path}#${name}`,
    async put(anchor, isOwn) {
      const { tip, anchors } = await kept('newest');
      if (await isKept(anchors.at(-1), anchor, isOwn)) return;
      const tree = (await git(['mktree'])).trim();
      const message = `Anchor ${anchor.size} of ${anchor.at}\n\n${JSON.stringify(anchor)}\n`;
      const parents = tip === null ? [] : ['-p', tip];
      const commit = (await git(['commit-tree', tree, ...parents], message)).trim();
      // The former tip is named, so that nobody else's commit is lost.
      await git(['update-ref', ref, commit, tip ?? '0'.repeat(commit.length)]);
    },
    async read() {
      const { tip: _, ...all } = await kept('all');
      return all;
    },
  };
}

/** The repository's hooks and filters run nothing here. */
function runGit(path: string, args: readonly string[], input: string): Promise<string> {
  const safe = ['-C', path, '-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'];
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // Whoever may push could show other commits in the place of these.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Goalkeeper',
    GIT_AUTHOR_EMAIL: 'anchors@goalkeeper.invalid',
    GIT_COMMITTER_NAME: 'Goalkeeper',
    GIT_COMMITTER_EMAIL: 'anchors@goalkeeper.invalid',
  };
  return new Promise((resolve, reject) => {
    const options = { env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES };
    const child = execFile(
      hostProgram('git'),
      [...safe, ...args],
      options,
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stderr.trim().split('\n')[0] || error.message));
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
