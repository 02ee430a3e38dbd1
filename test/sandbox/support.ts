import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommandLimits } from '../../schema/command-limits.ts';
import type { CommandRun, CommandScope, Reach, SandboxMode } from '../../src/contract/effects.ts';
import type { ProcessIdentity } from '../../src/contract/process-identity.ts';
import type { Groups } from '../../src/sandbox/groups/groups.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { removeTree } from '../../src/sandbox/remove-tree.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { boxed } from '../../src/workspace/helper/boxed.ts';
import { type Effects, startEffects } from '../../src/workspace/helper/client.ts';
import type { Need } from '../support/needs.ts';
import { giveAway, needsOwner } from '../support/ordinary-owner.ts';

export interface TestBox {
  readonly workspace: string;
  /** The service's own folder. */
  readonly home: string;
  readonly effects: Effects;
  readonly helpers: readonly ProcessIdentity[];
  run(command: string, options?: RunOptions): Promise<Said>;
}

interface RunOptions {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly reach?: Reach;
  readonly signal?: AbortSignal;
}

export type Said = Omit<CommandRun, 'output'> & { readonly output: string };

/** What this machine allows; tests of the sandbox itself run only where it is whole. */
const here = await openSandbox({ mode: 'auto', home: '/', limits: commandLimits() });
export const SANDBOX: Need = {
  what: 'no bubblewrap that may make a whole sandbox',
  isThere: here.protection.isolation === 'full',
};

type Given = Partial<Omit<CommandScope, 'workspace'>> & {
  readonly workspace?: string;
  readonly home?: string;
  readonly limits?: Partial<CommandLimits>;
  readonly mode?: SandboxMode;
  /** What listed domains may lead to although it is not public. */
  readonly addresses?: readonly string[];
  readonly groups?: Groups;
  /** Of each command, where they differ. */
  readonly ground?: () => CommandScope;
};

/** One for a single test, which takes it away again. */
export async function testBox(given: Given = {}): Promise<TestBox> {
  const { box, close } = await openBox(given);
  onTestFinished(close);
  return box;
}

export async function openBox(given: Given = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-box-')));
  const home = given.home ?? join(root, 'service');
  const workspace = given.workspace ?? join(root, 'work');
  await mkdir(home, { recursive: true });
  await mkdir(workspace, { recursive: true });
  if (needsOwner(given.mode)) giveAway([workspace], [root, home]);
  const limits = { ...commandLimits(), ...given.limits };
  const sandbox = await openSandbox({
    mode: given.mode ?? 'auto',
    home,
    limits,
    addresses: given.addresses ?? [],
    groups: given.groups ?? null,
  });
  const { goalId = 'g-1', network = 'none' } = given;
  const own = { goalId, workspace, network };
  const helpers: ProcessIdentity[] = [];
  const effects = startEffects({
    host: hostname(),
    onSpawn: async (helper) => void helpers.push(helper),
    ...boxed(sandbox, async () => given.ground?.() ?? own),
  });
  const run = async (command: string, options: RunOptions = {}): Promise<Said> => {
    const order = { command, cwd: workspace, timeoutMs: 120_000, maxOutputBytes: 200_000 };
    const { signal } = new AbortController();
    const ran = await effects.runCommand({ ...order, signal, ...options });
    return { ...ran, output: Buffer.from(ran.output).toString() };
  };
  const close = async () => {
    await effects.close();
    await removeTree(root);
  };
  return { box: { workspace, home, effects, helpers, run }, close };
}
