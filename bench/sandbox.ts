import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLimits } from '../src/sandbox/limits.ts';
import { openSandbox } from '../src/sandbox/sandbox.ts';
import { boxed } from '../src/tools/effects/boxed.ts';
import { type Effects, startEffects } from '../src/tools/effects/client.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 100);

/** What a sandbox costs a command: `true` in one, and in the helper alone. */
async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-bench-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  await Promise.all([home, workspace].map((folder) => mkdir(folder)));
  const sandbox = await openSandbox({ mode: 'auto', home, limits: commandLimits() });
  const ground = async () => ({ goalId: 'g-bench', workspace, network: 'none' as const });
  const start = (more: object) => startEffects({ host: 'bench', onSpawn: async () => {}, ...more });
  const [inside, outside] = [start(boxed(sandbox, ground)), start({})];
  try {
    const times = { inside: [] as number[], outside: [] as number[] };
    // Taken in turns, so that whatever else the machine does falls on both.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const pair = [await time(outside, workspace), await time(inside, workspace)] as const;
      if (round === 0) continue;
      times.outside.push(pair[0]);
      times.inside.push(pair[1]);
    }
    const [plain, boxedMs] = [median(times.outside), median(times.inside)];
    const ratio = (boxedMs / plain).toFixed(2);
    const isolation = sandbox.protection.isolation;
    console.log(JSON.stringify({ isolation, rounds: ROUNDS, plainMs: plain, boxedMs, ratio }));
  } finally {
    await Promise.all([inside.close(), outside.close()]);
    await rm(root, { recursive: true, force: true });
  }
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
