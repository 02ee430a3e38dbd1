import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { programPath } from './program-path.ts';
import { putText, readHeld, takeAway } from './safe-read.ts';

const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
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

const known = new Map<string, readonly Setting[]>();

/**
 * The settings as git itself reads the file, without includes; null if git calls the file invalid,
 * or if there is no ordinary small file. Git gets the text and never the path, which commands may
 * lead elsewhere meanwhile.
 *
 * @param file absolute and real
 * @throws GitUnanswered
 */
export async function settingsIn(file: string): Promise<readonly Setting[] | null> {
  const text = await readHeld(file, BYTES);
  return text === null ? null : await settingsOf(text);
}

/** One sign for each byte: settings are in any encoding. */
const BYTES = 'latin1';

async function settingsOf(text: string): Promise<readonly Setting[] | null> {
  const key = createHash('sha256').update(text).digest('base64');
  const before = known.get(key);
  if (before !== undefined) return before;
  const settings = await askedFor(text);
  if (settings === null) return null;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, settings);
  return settings;
}

async function askedFor(text: string): Promise<readonly Setting[] | null> {
  const isNo = (said: string) => said.includes('bad config');
  const listed = await git(['--file', '-', '--no-includes', '--null', '--list'], { text, isNo });
  return listed?.split('\0').filter(Boolean).map(asSetting) ?? null;
}

function asSetting(line: string): Setting {
  const feed = line.indexOf('\n');
  return feed < 0
    ? { name: line, value: '' }
    : { name: line.slice(0, feed), value: line.slice(feed + 1) };
}

/** Removes a setting, or the whole file if the setting can't be removed alone. */
export async function removeSetting(file: string, name: string): Promise<void> {
  const text = await readHeld(file, BYTES);
  const left = text === null ? null : await without(text, name);
  if (left === null) await takeAway(file);
  else await putText(file, left, BYTES);
}

/** Null if git leaves it there. Git writes to a copy that no command reaches. */
async function without(text: string, name: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-settings-'));
  try {
    const copy = join(folder, 'config');
    await writeFile(copy, text, BYTES);
    await git(['--file', copy, '--unset-all', name], { isNo: () => true });
    const left = await readFile(copy, BYTES);
    // A git that gives no answer by now must not cost the whole file.
    const settings = await askedFor(left);
    return settings?.every((setting) => setting.name !== name) === true ? left : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Asked {
  /** What git reads from its input. */
  readonly text?: string;
  /** Of git's words to an exit code. */
  readonly isNo: (said: string) => boolean;
}

/** Null where git says no. @throws GitUnanswered */
async function git(args: readonly string[], { text = '', isNo }: Asked): Promise<string | null> {
  const program = programPath('git');
  if (program === null) throw new GitUnanswered('it is not installed');
  const options = { cwd: '/', env: { ...ALONE, PATH: process.env.PATH }, timeout: 20_000 };
  const all = { ...options, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['config', ...args], all, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const { code, signal } = error as Failure;
      if (typeof code === 'number' && isNo(stderr)) return resolve(null);
      const why = stderr.trim().slice(0, 300) || `ended by ${signal ?? code ?? 'nobody'}`;
      reject(new GitUnanswered(why));
    });
    // A git that ends before it has read everything tells so by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(text, BYTES);
  });
}

interface Failure {
  /** The exit code, or the error's code if git did not start. */
  readonly code?: number | string | null;
  readonly signal?: string | null;
}
