import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
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
 * npm run bench:tricks -- [--only name,name] [--class words] [--honest] [--file FILE]
 *
 * It ends with 1 where a trick is proven that is not known to be (`"passes"`), or honest work asks
 * that is not known to ask (`"asks"`).
 */

const file = z.union([
  z.string(),
  z.null(),
  z.object({ link: z.string() }),
  z.object({ executable: z.string() }),
  z.object({ base64: z.string() }),
]);
const trick = z.object({
  name: z.string(),
  class: z.string(),
  language: z.string(),
  isHonest: z.boolean().default(false),
  what: z.string().default(''),
  criterion: z.string(),
  change: z.array(z.string()),
  args: z.array(z.string()).default([]),
  original: z.record(z.string(), file),
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
const all = z
  .array(trick)
  .parse(
    JSON.parse(readFileSync(option('file') ?? join(root, 'bench/tricks/tricks.json'), 'utf8')),
  );
const only = option('only')?.split(',');
const chosen = all.filter(
  (one) =>
    (only?.includes(one.name) ?? true) &&
    one.class.includes(option('class') ?? '') &&
    (one.isHonest || !process.argv.includes('--honest')),
);
const ENDS: Readonly<Record<string, string>> = { 0: 'proven', 1: 'refused', 2: 'asked' };
const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-tricks-'));
const seen: { one: Trick; end: string; isExpected: boolean }[] = [];
try {
  for (const one of chosen) {
    const begun = Date.now();
    const { end, told } = play(one);
    const isExpected = one.isHonest
      ? end === 'proven' || (end === 'asked' && one.asks !== undefined)
      : end !== 'proven' || one.passes !== undefined;
    seen.push({ one, end, isExpected });
    const seconds = Math.round((Date.now() - begun) / 1000);
    const mark = isExpected ? ' ' : '!';
    console.log(`${mark} ${one.isHonest ? 'honest' : 'trick '} ${one.name}: ${end}, ${seconds} s`);
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

function play(one: Trick): { readonly end: string; readonly told: string } {
  const folder = join(bench, one.name);
  mkdirSync(folder);
  put(folder, one.original);
  const git = startRepository(folder);
  git('checkout', '-q', '-b', 'work');
  put(folder, one.work);
  if (one.does !== undefined) sh(one.does, folder);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'work');
  const plain = sh(one.criterion, folder);
  git('clean', '-fdxq');
  if (plain !== 0) return { end: 'fails plainly', told: '' };
  const scope = one.change.flatMap((glob) => ['--change', glob]);
  const args = ['check', '--base', 'main', '--criterion', one.criterion, ...scope, ...one.args];
  const ran = spawnSync('node', [join(root, 'dist/src/cli/main.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOALKEEPER_HOME: join(bench, 'home'), NO_COLOR: '1' },
  });
  return { end: ENDS[ran.status ?? -1] ?? `exit ${ran.status}`, told: ran.stdout + ran.stderr };
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
