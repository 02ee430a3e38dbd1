import { join } from 'node:path';
import type { FilesProblem } from '../../contract/worktrees.ts';
import { lookAt } from '../../sandbox/safe-read.ts';
import { GitSilent, runGit } from './run-git.ts';

/** @throws GitSilent */
export async function worktreeProblemOf(folder: string): Promise<FilesProblem | null> {
  const [settings, attributes, common] = await Promise.all([
    ownSettings(folder),
    answerOf(folder, ['ls-files', '-z', '--', ':(glob)**/.gitattributes']),
    answerOf(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']),
  ]);
  if ((settings.get('extensions.objectformat') ?? 'sha1') !== 'sha1') return 'object_format';
  if (isTrue(settings.get('core.sparsecheckout'))) return 'sparse_checkout';
  if (isPartial(settings) && (await lacksFiles(folder))) return 'missing_objects';
  const changesEnds = isTrue(settings.get('core.autocrlf')) || settings.get('core.eol') === 'crlf';
  if (changesEnds) return 'line_ends';
  const own = await lookAt(join(common.trim(), 'info', 'attributes'));
  if (attributes === '' && own === null) return null;
  if (await hasFiles(folder, [':(attr:eol=crlf)'])) return 'line_ends';
  const given = ['filter', 'working-tree-encoding', 'ident'].map((name) =>
    hasFiles(folder, ['.', `:(exclude,attr:!${name})`, `:(exclude,attr:-${name})`]),
  );
  return (await Promise.all(given)).includes(true) ? 'filters' : null;
}

const isPartial = (settings: ReadonlyMap<string, string>): boolean =>
  [...settings].some(
    ([name, value]) =>
      name === 'extensions.partialclone' || (/^remote\..*\.promisor$/s.test(name) && isTrue(value)),
  );

/** Git fetches them when it first needs them, which it is not let here. */
async function lacksFiles(folder: string): Promise<boolean> {
  const args = ['rev-list', '--objects', '--missing=print', 'HEAD^{tree}'];
  return /^\?/m.test((await runGit({ folder }, args)) ?? '');
}

async function hasFiles(folder: string, patterns: readonly string[]): Promise<boolean> {
  return (await answerOf(folder, ['ls-files', '-z', '--', ...patterns])) !== '';
}

/** The repository's settings; the last value of a setting counts. */
async function ownSettings(folder: string): Promise<Map<string, string>> {
  const args = ['config', '--includes', '--null', '--show-scope', '--list'];
  const parts = (await answerOf(folder, args)).split('\0');
  const settings = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name = '', value = 'true'] = (parts[at + 1] ?? '').split('\n');
    if (parts[at] !== 'command') settings.set(name, value.toLowerCase());
  }
  return settings;
}

const isTrue = (value: string | undefined): boolean =>
  value !== undefined && ['true', 'yes', 'on', '1'].includes(value);

async function answerOf(folder: string, args: readonly string[]): Promise<string> {
  const answer = await runGit({ folder }, args);
  if (answer === null) throw new GitSilent(args);
  return answer;
}
