import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '../schema/check-result.ts';
import { gitIn, startRepository } from '../test/support/git.ts';
import { madeSubjects } from './check/made.ts';
import { publishedSubjects } from './check/published.ts';
import type { Play, Subject } from './check/subject.ts';
import { runShell } from './honesty/oracle.ts';

/**
 * `goalkeeper check` as the GitHub Action runs it, without any service: honest work, tests that were
 * bent, a claim without work, and tricks of the honesty bench. Each bundle is verified, checks and all.
 *
 * npm run bench:check -- [--published] [--only id,id] [--what honest,…] [--tricks n] [--rehearse]
 *
 * `--published` takes projects as registries have them, instead of those of the honesty bench.
 * `--what` plays those alone that are called so: `honest`, `tests bent`, `a lie`, or a trick's words.
 * `--rehearse` runs the projects' own checks alone, and says which plays are not what they should be.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const command = `${join(root, 'node_modules/.bin/tsx')} ${join(root, 'src/cli/main.ts')}`;
const option = (name: string): string | null => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? '');
};

interface Row {
  readonly project: string;
  readonly language: string;
  readonly runner: string;
  readonly what: string;
  readonly isRight: boolean;
  readonly own: number;
  readonly exit: number | null;
  readonly status: string;
  readonly bundle: string;
  readonly seconds: number;
  readonly plain: number;
}

const VERIFIED = 'verified, and run again';
const rows: Row[] = [];
const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-check-bench-'));
const isRehearsal = process.argv.includes('--rehearse');
const all = process.argv.includes('--published')
  ? publishedSubjects()
  : madeSubjects(Number(option('tricks') ?? 2));
const only = option('only')?.split(',') ?? all.map(({ id }) => id);
const whats = option('what')?.split(',');
try {
  for (const id of only) {
    const subject = all.find((one) => one.id === id);
    if (subject === undefined) throw new Error(`there is no project ${id}`);
    if (subject.needs.some((need) => !isThere(need))) {
      console.log(`${id}: left out, as the machine lacks ${subject.needs.join(', ')}`);
      continue;
    }
    const original = mkdtempSync(join(bench, 'original-'));
    const project = await subject.furnish(original);
    const plays = subject.plays.filter(({ what }) => whats === undefined || whats.includes(what));
    for (const play of plays) await tryOn(subject, { project, original }, play);
    rmSync(original, { recursive: true, force: true });
  }
  report();
} finally {
  rmSync(bench, { recursive: true, force: true });
}

function isThere(need: string): boolean {
  if (need.startsWith('/')) return existsSync(need);
  return spawnSync('sh', ['-c', `command -v "$1"`, 'sh', need]).status === 0;
}

interface Furnished {
  readonly project: string;
  readonly original: string;
}

async function tryOn(subject: Subject, { project, original }: Furnished, play: Play) {
  const folder = mkdtempSync(join(bench, 'repository-'));
  execFileSync('cp', ['-a', `${original}/.`, folder]);
  const git = startRepository(folder);
  git('checkout', '-q', '-b', 'work');
  await play.act(folder);
  gitIn(folder)('add', '-A');
  gitIn(folder)('commit', '-q', '--allow-empty', '-m', play.what);
  // What it leaves there would be no part of what is judged.
  const copy = mkdtempSync(join(bench, 'own-'));
  execFileSync('cp', ['-a', `${folder}/.`, copy]);
  const plainly = performance.now();
  const { exitCode: own, output } = await runShell(subject.check, copy);
  const plain = (performance.now() - plainly) / 1000;
  rmSync(copy, { recursive: true, force: true });
  const isPlayed = play.own === undefined || (own === 0) === (play.own === 'passes');
  if (!isPlayed) console.log(output.slice(-2000));
  const seen = isRehearsal ? null : judge(subject, folder);
  const row: Row = {
    ...{ project, language: subject.language, runner: subject.runner, what: play.what },
    isRight: isPlayed && (seen === null || isAsWanted(seen, play)),
    ...{ own, plain, exit: null, status: 'not checked', bundle: '', seconds: 0, ...seen },
  };
  if (seen?.exit === 0 && !seen.bundle.startsWith('verified'))
    rows.push({ ...row, isRight: false });
  else rows.push(row);
  console.log(`${row.isRight ? 'ok ' : 'BAD'} ${cellsOf(row).join(' · ')}`);
  if (!row.isRight && seen !== null) console.log(seen.said.slice(-3000));
  rmSync(folder, { recursive: true, force: true });
}

/** What is proven has a bundle that holds, and nothing else has one. */
function isAsWanted({ exit, bundle }: ReturnType<typeof judge>, { wanted }: Play): boolean {
  return wanted.includes(exit ?? -1) && bundle === (exit === 0 ? VERIFIED : '');
}

/** The step of action.yml, in the folders that a runner gives it. */
function judge(subject: Subject, folder: string) {
  const runner = mkdtempSync(join(bench, 'runner-'));
  mkdirSync(join(runner, 'temp'));
  const output = join(runner, 'output');
  appendFileSync(output, '');
  const bundle = join(runner, 'proof.jsonl');
  const begun = performance.now();
  const ran = spawnSync('bash', [join(root, 'scripts/check-action.sh')], {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 1 << 26,
    env: {
      ...environment(),
      ...{ GITHUB_WORKSPACE: folder, RUNNER_TEMP: join(runner, 'temp'), GITHUB_OUTPUT: output },
      ...{ GK_COMMAND: command, GK_BASE: 'main', GK_BUNDLE: bundle },
      GK_CRITERION: subject.criteria.join('\n'),
      GK_CHANGE: subject.change.join('\n'),
      GK_ACCEPT: subject.accept.join('\n'),
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  const file = /^result=(.*)$/m.exec(readFileSync(output, 'utf8'))?.[1] ?? '';
  const result = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { status, error } = JSON.parse(result || '{}') as Partial<CheckResult> & { error?: object };
  return {
    ...{ exit: ran.status, status: status ?? JSON.stringify(error), seconds },
    bundle: existsSync(bundle) ? verify(bundle, folder) : '',
    said: ran.stdout + ran.stderr + result,
  };
}

function environment(): NodeJS.ProcessEnv {
  const home = join(bench, 'home');
  return { ...process.env, CI: 'true', GOALKEEPER_HOME: home, GOALKEEPER_SANDBOX: 'require' };
}

function verify(bundle: string, folder: string): string {
  const files = [bundle, '--key', `${bundle}.pem`, '--repo', folder];
  const run = (...more: string[]) =>
    spawnSync('sh', ['-c', `${command} "$@"`, 'sh', 'proof', 'verify', ...files, ...more], {
      ...{ encoding: 'utf8', cwd: bench, env: environment() },
    });
  const plain = run();
  if (plain.status !== 0) return `refused: ${plain.stderr.slice(0, 300)}`;
  const again = run('--rerun');
  return again.status === 0 ? VERIFIED : `not again: ${again.stderr.slice(0, 300)}`;
}

function cellsOf({ project, runner, what, own, exit, status, bundle, seconds, plain }: Row) {
  const cells = [project, runner, what, own === 0 ? 'passes' : 'fails', exit ?? '', status, bundle];
  return [...cells, `${seconds.toFixed(1)} s`, `${plain.toFixed(1)} s`];
}

function report(): void {
  const bad = rows.filter(({ isRight }) => !isRight);
  const heads = ['project', 'runner', 'what', 'its own check', 'exit', 'found', 'bundle'];
  console.log(
    `\n| ${[...heads, 'check', 'own'].join(' | ')} |\n|---|---|---|---|---|---|---|---|---|`,
  );
  for (const row of rows) console.log(`| ${cellsOf(row).join(' | ')} |`);
  const projects = new Set(rows.map(({ project }) => project)).size;
  const languages = new Set(rows.map(({ language }) => language)).size;
  const kernel = execFileSync('uname', ['-sr'], { encoding: 'utf8' }).trim();
  console.log(
    `\n${rows.length - bad.length} of ${rows.length} as they should be, on ${projects} projects of ${languages} languages; ${kernel}, Node ${process.version}`,
  );
  if (bad.length > 0) process.exitCode = 1;
}
