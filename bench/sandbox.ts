import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardGit } from '../src/sandbox/git-guard.ts';
import { commandLimits } from '../src/sandbox/limits.ts';
import { openSandbox } from '../src/sandbox/sandbox.ts';
import { boxed } from '../src/workspace/helper/boxed.ts';
import { type Effects, startEffects } from '../src/workspace/helper/client.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 100);

/** What a sandbox costs a command: `true` in one, and in the helper alone. */
async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-bench-'));
  const home = join(root, 'home');
  await mkdir(home);
  const sandbox = await openSandbox({ mode: 'auto', home, limits: commandLimits() });
  let at = { goalId: '', workspace: root, network: 'none' as const };
  const start = (more: object) => startEffects({ host: 'bench', onSpawn: async () => {}, ...more });
  const [inside, outside] = [start(boxed(sandbox, async () => at)), start({})];
  try {
    for (const [goalId, ground] of Object.entries(GROUNDS)) {
      const workspace = await makeWorkspace(join(root, goalId), ground);
      at = { ...at, goalId, workspace };
      const times = { inside: [] as number[], outside: [] as number[] };
      // Taken in turns, so that whatever else the machine does falls on both.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const pair = [await time(outside, workspace), await time(inside, workspace)] as const;
        if (round === 0) continue;
        times.outside.push(pair[0]);
        times.inside.push(pair[1]);
      }
      const [plainMs, boxedMs] = [median(times.outside), median(times.inside)];
      const { isolation } = sandbox.protection;
      const guard = await guardCost(join(root, `${goalId}-goal`), workspace);
      const measured = { rounds: ROUNDS, plainMs, boxedMs, ...guard };
      console.log(JSON.stringify({ ground: goalId, isolation, ...measured }));
    }
  } finally {
    await Promise.all([inside.close(), outside.close()]);
    await rm(root, { recursive: true, force: true });
  }
}

interface Made {
  /** Of ten files: what a command left in git's is looked for in all of them. */
  readonly folders: number;
  /** Repositories inside of it. */
  readonly nested: number;
}

const GROUNDS: Readonly<Record<string, Made>> = {
  empty: { folders: 0, nested: 0 },
  repository: { folders: 100, nested: 0 },
  '10,000 files': { folders: 1000, nested: 0 },
  '10,000 files and a nested repository': { folders: 1000, nested: 1 },
  '10,000 files and 20 nested repositories': { folders: 1000, nested: 20 },
  'large repository': { folders: 10_000, nested: 0 },
};

/** Of looking for what git would run, before a command and after it; part of what a sandbox costs. */
async function guardCost(folder: string, workspace: string) {
  const at = (name: string) => join(workspace, '.git', name);
  const look = { reach: [workspace], sealed: new Set([at('config'), at('hooks')]) };
  const times: number[] = [];
  const from = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await (await guardGit(folder, look)).tidy();
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(from);
  const guardCpuMs = Number(((user + system) / 1000 / ROUNDS).toFixed(2));
  return { guardMs: median(times), guardCpuMs };
}

async function makeWorkspace(workspace: string, { folders, nested }: Made): Promise<string> {
  await mkdir(workspace);
  if (folders > 0) execFileSync('git', ['init', '-q'], { cwd: workspace });
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(workspace, `part-${folder % 100}`, `folder-${folder}`);
    await mkdir(path, { recursive: true });
    for (let file = 0; file < 10; file += 1) await writeFile(join(path, `${file}.txt`), '');
  }
  for (let inner = 0; inner < nested; inner += 1) {
    execFileSync('git', ['init', '-q', `part-${inner}/nested`], { cwd: workspace });
  }
  // Folders that changed just now are read anew.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return workspace;
}

async function time(effects: Effects, cwd: string): Promise<number> {
  const begun = performance.now();
  const { signal } = new AbortController();
  await effects.runCommand({
    command: 'true',
    cwd,
    timeoutMs: 20_000,
    maxOutputBytes: 100,
    signal,
  });
  return performance.now() - begun;
}

const median = (values: readonly number[]): number =>
  Number((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(2));

await main();
