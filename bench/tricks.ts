import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startRepository } from '../test/support/git.ts';

/**
 * Tricks that somebody thought up from the rule alone, and honest work that looks like them, each
 * judged once by `goalkeeper check` with its scope declared. A trick whose plain check fails is none.
 *
 * npm run bench:tricks -- [--only name,name] [--class words] [--honest] [--file FILE] [--home DIR]
 *
 * Without a file, all of bench/tricks are played. Packages of a project are installed once, with a
 * lock file of their own, from the registry that npm asks. It ends with 1 where a
 * trick is proven that is not known to be (`"passes"`), or honest work asks that is not known to ask
 * (`"asks"`).
 */

const file = z.union([
  z.string(),
  z.null(),
  z.object({ link: z.string() }),
  z.object({ executable: z.string() }),
  z.object({ base64: z.string() }),
]);
const files = z.record(z.string(), file);
const criterion = z.union([z.string(), z.array(z.string())]);
/** What several plays begin with. */
const project = z.object({
  criterion,
  change: z.array(z.string()),
  files,
});
type Project = z.infer<typeof project>;
const trick = z.object({
  name: z.string(),
  class: z.string(),
  language: z.string(),
  isHonest: z.boolean().default(false),
  what: z.string().default(''),
  project: z.string().optional(),
  criterion: criterion.optional(),
  change: z.array(z.string()).optional(),
  args: z.array(z.string()).default([]),
  original: z.record(z.string(), file).default({}),
  work: z.record(z.string(), file).default({}),
  /** What the work does besides, by a shell. */
  does: z.string().optional(),
  /** Why it is proven all the same, or asks. */
  passes: z.string().optional(),
  asks: z.string().optional(),
});
type Trick = z.infer<typeof trick>;

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name: string): string | null => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? '');
};
const played = z.object({ projects: z.record(z.string(), project), tricks: z.array(trick) });
const own = join(root, 'bench/tricks');
const sources = [option('file') ?? readdirSync(own).map((name) => join(own, name))].flat();
const read = sources.map((path) => JSON.parse(readFileSync(path, 'utf8')) as unknown);
const all = read.flatMap((some): { one: Trick; of?: Project | undefined }[] => {
  if (Array.isArray(some))
    return z
      .array(trick)
      .parse(some)
      .map((one) => ({ one }));
  const { projects, tricks } = played.parse(some);
  return tricks.map((one) => ({ one, of: projects[one.project ?? ''] }));
});
const only = option('only')?.split(',');
const chosen = all.filter(
  ({ one }) =>
    (only?.includes(one.name) ?? true) &&
    one.class.includes(option('class') ?? '') &&
    (one.isHonest || !process.argv.includes('--honest')),
);
const ENDS: Readonly<Record<string, string>> = { 0: 'proven', 1: 'refused', 2: 'asked' };
const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-tricks-'));
const seen: { one: Trick; end: string; isExpected: boolean }[] = [];
try {
  for (const { one, of } of chosen) {
    const begun = Date.now();
    const { end, told, plainMs } = play(one, of);
    const isExpected = one.isHonest
      ? end === 'proven' || end === 'held' || (end === 'asked' && one.asks !== undefined)
      : end !== 'proven' || one.passes !== undefined;
    seen.push({ one, end, isExpected });
    const seconds = Math.round((Date.now() - begun) / 1000);
    const mark = isExpected ? ' ' : '!';
    const beside = plainMs < 1000 ? '' : `, ${(plainMs / 1000).toFixed(1)} s plainly`;
    console.log(
      `${mark} ${one.isHonest ? 'honest' : 'trick '} ${one.name}: ${end}, ${seconds} s${beside}`,
    );
    if (only !== undefined || !isExpected) console.log(told);
  }
} finally {
  rmSync(bench, { recursive: true, force: true });
}
for (const isHonest of [false, true]) {
  const some = seen.filter(({ one }) => one.isHonest === isHonest);
  const counts = [...new Set(some.map(({ end }) => end))].map(
    (end) => `${some.filter((each) => each.end === end).length} ${end}`,
  );
  console.log(`${some.length} ${isHonest ? 'honest' : 'tricks'}: ${counts.join(', ')}`);
}
if (seen.some(({ isExpected }) => !isExpected)) process.exitCode = 1;

function play(
  one: Trick,
  of?: Project,
): { readonly end: string; readonly told: string; readonly plainMs: number } {
  const folder = join(bench, one.name);
  mkdirSync(folder);
  put(folder, { ...of?.files, ...one.original });
  if (of !== undefined) cpSync(installed(of), folder, { recursive: true, verbatimSymlinks: true });
  const git = startRepository(folder);
  git('checkout', '-q', '-b', 'work');
  put(folder, one.work);
  if (one.does !== undefined) sh(one.does, folder);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'work');
  const criteria = [one.criterion ?? of?.criterion ?? []].flat();
  const begun = Date.now();
  const isFailing = criteria.some((command) => sh(command, folder) !== 0);
  const plainMs = Date.now() - begun;
  git('clean', '-fdxq', '-e', 'node_modules');
  if (isFailing) return { end: 'fails plainly', told: '', plainMs };
  const scope = (one.change ?? of?.change ?? []).flatMap((glob) => ['--change', glob]);
  const asked = criteria.flatMap((command) => ['--criterion', command]);
  const args = ['check', '--base', 'main', ...asked, ...scope, ...one.args];
  const home = option('home') ?? join(bench, 'home');
  const ran = spawnSync('node', [join(root, 'dist/src/cli/main.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOALKEEPER_HOME: home, NO_COLOR: '1' },
  });
  const isHeld = ran.status === 0 && /^Nothing is proven/m.test(ran.stdout);
  const end = isHeld ? 'held' : (ENDS[ran.status ?? -1] ?? `exit ${ran.status}`);
  return { end, told: ran.stdout + ran.stderr, plainMs };
}

/** A folder with the lock file and the packages of a project. */
function installed({ files }: Project): string {
  const manifests = Object.entries(files).filter(([path]) => /(?:^|\/)package\.json$/.test(path));
  const digest = createHash('sha256').update(JSON.stringify(manifests)).digest('hex');
  const at = join(tmpdir(), 'goalkeeper-tricks-packages', digest.slice(0, 16));
  if (existsSync(at)) return at;
  const fresh = `${at}.${process.pid}`;
  put(fresh, Object.fromEntries(manifests));
  const install = 'npm install --ignore-scripts --no-audit --no-fund';
  if (sh(install, fresh) !== 0) throw new Error(`${install} failed in ${fresh}`);
  for (const [path] of manifests) rmSync(join(fresh, path));
  renameSync(fresh, at);
  return at;
}

function put(folder: string, files: Trick['original']): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path);
    if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) rmSync(at, { recursive: true });
    if (content === null) continue;
    mkdirSync(dirname(at), { recursive: true });
    if (typeof content === 'string') writeFileSync(at, content);
    else if ('link' in content) symlinkSync(content.link, at);
    else if ('base64' in content) writeFileSync(at, Buffer.from(content.base64, 'base64'));
    else writeFileSync(at, content.executable, { mode: 0o755 });
  }
}

function sh(command: string, cwd: string): number | null {
  const person = { NAME: 't', EMAIL: 't@localhost' };
  const names = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = { ...process.env, ...Object.fromEntries(names) };
  return spawnSync('sh', ['-c', command], { cwd, stdio: 'ignore', env }).status;
}
