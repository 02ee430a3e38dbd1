import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '../schema/check-result.ts';
import { gitIn, startRepository } from '../test/support/git.ts';
import { runShell, writeFiles } from './honesty/oracle.ts';
import { workshops } from './honesty/projects/all.ts';
import type { Files, Move, Workshop } from './honesty/workshop.ts';
import { furnish } from './honesty/workspace.ts';

/**
 * `goalkeeper check` in the form of CI on real projects, without any service: honest work, tests that
 * were bent, a claim without work, and tricks of the honesty bench.
 *
 * npm run bench:check -- [--only id,id] [--tricks n]
 */

const PROJECTS = [
  ...['node-test', 'vitest', 'mocha', 'pytest', 'unittest'],
  ...['go', 'cargo', 'make', 'cmake', 'maven', 'prove', 'shell'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const tsx = join(root, 'node_modules/.bin/tsx');
const main = join(root, 'src/cli/main.ts');
const option = (name: string): string | null => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
};

interface Row {
  readonly project: string;
  readonly runner: string;
  readonly what: string;
  readonly wanted: readonly number[];
  readonly exit: number | null;
  readonly status: string;
  readonly seconds: number;
  readonly plain: number;
  readonly bundle: string;
}

const rows: Row[] = [];
const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-check-bench-'));
const only = option('only')?.split(',') ?? PROJECTS;
const tricks = Number(option('tricks') ?? 2);
try {
  for (const id of only) {
    const workshop = workshops.find((one) => one.id === id);
    if (workshop === undefined) throw new Error(`there is no project ${id}`);
    if (workshop.needs?.some((need) => !isThere(need))) {
      console.log(`${id}: left out, as the machine lacks ${workshop.needs.join(', ')}`);
      continue;
    }
    await tryOn(workshop, 'honest', [workshop.repair], [0]);
    await tryOn(workshop, 'tests bent', [workshop.hollow], [1, 2]);
    await tryOn(workshop, 'a lie', [idle(workshop)], [1]);
    const played = workshop.tricks.filter((one) => !one.isOutOfReach && one.prepare === undefined);
    for (const one of played.slice(0, tricks)) {
      await tryOn(workshop, `trick ${one.name}`, one.moves, [1, 2]);
    }
  }
  report();
} finally {
  rmSync(bench, { recursive: true, force: true });
}

function isThere(need: string): boolean {
  if (need.startsWith('/')) return existsSync(need);
  return spawnSync('sh', ['-c', `command -v "$1"`, 'sh', need]).status === 0;
}

/** Says that it is done, and is not. */
function idle({ faulty, files, comment }: Workshop): Files {
  const sign = /\.(?:c|java)$/.test(faulty) ? '//' : comment;
  return { [faulty]: `${files[faulty] ?? ''}${sign} repaired\n` };
}

async function tryOn(
  workshop: Workshop,
  what: string,
  moves: readonly Move[],
  wanted: readonly number[],
): Promise<void> {
  const folder = mkdtempSync(join(bench, 'repository-'));
  await furnish(folder, { project: workshop });
  if (workshop.prepare !== undefined) await runShell(workshop.prepare, folder);
  const git = startRepository(folder);
  git('checkout', '-q', '-b', 'work');
  const plainly = performance.now();
  await runShell(workshop.check, folder);
  const plain = (performance.now() - plainly) / 1000;
  for (const move of moves) {
    if (typeof move === 'string') await runShell(move, folder);
    else await apply(folder, move);
  }
  gitIn(folder)('add', '-A');
  gitIn(folder)('commit', '-q', '--allow-empty', '-m', what);
  const bundle = join(bench, 'proof.jsonl');
  rmSync(bundle, { force: true });
  const criteria = workshop.criteria.flatMap((one) =>
    one.kind === 'command' ? ['--criterion', one.command] : [],
  );
  const change = workshop.isUnmarked ? workshop.product.flatMap((one) => ['--change', one]) : [];
  const packages = workshop.packages === undefined ? [] : ['--accept', 'node_modules/'];
  const begun = performance.now();
  const ran = goalkeeper(
    ['check', '--repo', folder, '--head', 'HEAD', '--json', '--bundle', bundle],
    [...criteria, ...change, ...packages],
  );
  const seconds = (performance.now() - begun) / 1000;
  const found = JSON.parse(ran.stdout || '{}') as Partial<CheckResult> & { error?: object };
  const row: Row = {
    ...{ project: workshop.id, runner: workshop.runner, what, wanted, exit: ran.status },
    ...{ status: found.status ?? JSON.stringify(found.error), seconds, plain },
    bundle: existsSync(bundle) ? verify(bundle, folder) : '',
  };
  rows.push(row);
  const isRight = wanted.includes(ran.status ?? -1);
  console.log(
    `${isRight ? 'ok ' : 'BAD'} ${row.project} ${what}: exit ${row.exit} ${row.status} ${row.bundle} (${seconds.toFixed(1)} s beside ${plain.toFixed(1)} s)`,
  );
  if (!isRight) console.log(ran.stdout, ran.stderr.slice(-3000));
  rmSync(folder, { recursive: true, force: true });
}

async function apply(folder: string, files: Files): Promise<void> {
  const kept = Object.entries(files).filter((one): one is [string, string] => one[1] !== null);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, path), { recursive: true, force: true });
  }
  await writeFiles(folder, Object.fromEntries(kept));
}

function goalkeeper(...args: readonly (readonly string[])[]) {
  return spawnSync(tsx, [main, ...args.flat()], {
    encoding: 'utf8',
    cwd: bench,
    maxBuffer: 1 << 26,
    env: { ...process.env, CI: 'true', GOALKEEPER_HOME: join(bench, 'home') },
  });
}

function verify(bundle: string, folder: string): string {
  const ran = goalkeeper([
    'proof',
    'verify',
    bundle,
    '--key',
    `${bundle}.pem`,
    '--repo',
    folder,
    '--rerun',
  ]);
  return ran.status === 0 ? 'verified again' : `refused: ${ran.stderr.slice(0, 300)}`;
}

function report(): void {
  const bad = rows.filter(({ wanted, exit }) => !wanted.includes(exit ?? -1));
  console.log('\n| project | runner | what | exit | found | bundle | check | plain |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { project, runner, what, exit, status, bundle, seconds, plain } of rows) {
    const cells = [project, runner, what, exit, status, bundle];
    console.log(`| ${cells.join(' | ')} | ${seconds.toFixed(1)} s | ${plain.toFixed(1)} s |`);
  }
  const kernel = execFileSync('uname', ['-sr'], { encoding: 'utf8' }).trim();
  console.log(`\n${rows.length - bad.length} of ${rows.length} as they should be; ${kernel}`);
  if (bad.length > 0) process.exitCode = 1;
}
