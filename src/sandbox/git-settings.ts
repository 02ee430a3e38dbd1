import { execFile } from 'node:child_process';
import { dirname, isAbsolute, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from './program-path.ts';
import { lookAt, takeAway } from './safe-read.ts';

const run = promisify(execFile);
const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
/** A file that changed so recently may change again without its times showing it. */
const SETTLED_MS = 50;
const MOST_KNOWN = 1000;

/** Git's reading of a settings file is unknown, so nothing is removed. */
export class GitUnanswered extends Error {
  constructor(why: string) {
    super(`git did not say what its settings are: ${why}`);
    this.name = 'GitUnanswered';
  }
}

export interface Setting {
  /** As git spells it: section and key in lower case. */
  readonly name: string;
  readonly value: string;
}

/** Settings that name no program, no other file of settings and no place outside. */
const HARMLESS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks)$/,
  /^core\.(precomposeunicode|protecthfs|protectntfs|autocrlf|eol|safecrlf|abbrev|quotepath)$/,
  /^core\.(sparsecheckout|sparsecheckoutcone|untrackedcache|whitespace|compression|longpaths)$/,
  /^core\.(checkstat|trustctime|splitindex|commitgraph|multipackindex|sharedrepository)$/,
  /^extensions\.(objectformat|refstorage|worktreeconfig|relativeworktrees|preciousobjects|noop)$/,
  /^(user|author|committer)\.(name|email)$/,
  /^remote\..+\.(url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate)$/s,
  /^remote\.pushdefault$/,
  /^branch\..+\.(remote|pushremote|merge|rebase|description)$/s,
  /^branch\.(autosetupmerge|autosetuprebase|sort)$/,
  /^submodule\..+\.(url|active|branch|path|ignore|shallow|fetchrecursesubmodules)$/s,
  /^submodule\.(active|recurse|fetchjobs)$/,
  /^(advice|color|column|status)\..+$/s,
  /^diff\.(renames|algorithm|mnemonicprefix|noprefix|context|submodule|colormoved)$/,
  /^merge\.(ff|conflictstyle|renames|stat|log|directoryrenames)$/,
  /^(init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags))$/,
  /^(rebase\.(autosquash|autostash|updaterefs|stat)|rerere\.(enabled|autoupdate))$/,
  /^(gc|index|feature|pack|fetch|log|tag|commitgraph)\.(?!program|recentobjectshook)[a-z]+$/,
  /^lfs\.repositoryformatversion$/,
];

/** Matches `ext::sh -c …`, and a URL that would be read as an option. */
const IS_HELPER = /^(?:[\w+.-]+::|-)/;

export function isHarmless({ name, value }: Setting, place: Place): boolean {
  if (name === 'core.worktree') return place.isInside(resolve(dirname(place.file), value));
  return HARMLESS.some((pattern) => pattern.test(name)) && !IS_HELPER.test(value);
}

interface Place {
  /** The file with the setting. */
  readonly file: string;
  readonly isInside: (path: string) => boolean;
}

/** Other files of settings that it names, absolute; what lies in a home is the person's own. */
export function includedBy(settings: readonly Setting[], file: string): string[] {
  return settings
    .filter(({ name }) => /^include(?:if\..*)?\.path$/s.test(name))
    .filter(({ value }) => value !== '' && !value.startsWith('~'))
    .map(({ value }) => (isAbsolute(value) ? value : resolve(dirname(file), value)));
}

const known = new Map<string, { stamp: string; settings: readonly Setting[] }>();

/**
 * The settings as git itself reads the file, without includes; null if git calls the file invalid.
 * @throws GitUnanswered
 */
export async function settingsIn(file: string): Promise<readonly Setting[] | null> {
  const stats = await lookAt(file);
  const stamp = stats === null ? '' : `${stats.ino} ${stats.ctimeMs} ${stats.size}`;
  const before = known.get(file);
  if (before !== undefined && before.stamp === stamp) return before.settings;
  const text = await git(['--file', file, '--no-includes', '--null', '--list'], (said) =>
    NO_SETTINGS.test(said),
  );
  if (text === null) return null;
  const settings = text.split('\0').filter(Boolean).map(asSetting);
  if (known.size >= MOST_KNOWN) known.clear();
  if (stats !== null && Date.now() - stats.ctimeMs > SETTLED_MS) {
    known.set(file, { stamp, settings });
  }
  return settings;
}

function asSetting(line: string): Setting {
  const feed = line.indexOf('\n');
  return feed < 0
    ? { name: line, value: '' }
    : { name: line.slice(0, feed), value: line.slice(feed + 1) };
}

/** Removes a setting, or the whole file if the setting can't be removed alone. */
export async function removeSetting(file: string, name: string): Promise<void> {
  await git(['--file', file, '--unset-all', name], () => true);
  const left = await settingsIn(file);
  if (left === null || left.some((setting) => setting.name === name)) await takeAway(file);
}

/** Git's messages for a file that it can't parse, or that is gone. */
const NO_SETTINGS = /bad config|No such file/;

/** Null where git says no. @throws GitUnanswered */
async function git(args: readonly string[], isNo: (said: string) => boolean) {
  const program = programPath('git');
  if (program === null) throw new GitUnanswered('it is not installed');
  const options = { cwd: '/', env: { ...ALONE, PATH: process.env.PATH }, timeout: 20_000 };
  try {
    const all = { ...options, maxBuffer: 16 * 1024 * 1024 };
    return (await run(program, ['config', ...args], all)).stdout;
  } catch (error) {
    const { code, signal, stderr = '' } = error as Failure;
    if (typeof code === 'number' && isNo(stderr)) return null;
    throw new GitUnanswered(
      stderr.trim().slice(0, 300) || `ended by ${signal ?? code ?? 'nobody'}`,
    );
  }
}

interface Failure {
  /** The exit code, or the error's code if git did not start. */
  readonly code?: number | string | null;
  readonly signal?: string | null;
  readonly stderr?: string;
}
