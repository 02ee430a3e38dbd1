import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Goal } from '../schema/goal.ts';
import type { LedgerRow } from '../schema/ledger.ts';
import { loadConfig } from '../src/app/config.ts';
import { type Client, createClient } from '../src/cli/client.ts';
import { followGoal } from '../src/cli/follow.ts';
import { goalText } from '../src/cli/goal-text.ts';
import { handOverGoals } from '../src/cli/hand-over-goals.ts';
import { lookOf } from '../src/cli/screen/look.ts';
import { processTerminal } from '../src/cli/terminal.ts';
import { narrate } from '../src/cli/watch/narrate.ts';
import { screenLines } from '../src/cli/watch/screen-lines.ts';
import { passageMode } from '../src/sandbox/command-user.ts';
import { startStack } from '../src/stack/up.ts';
import { demoModel, KILL_AT } from './demo-model.ts';
import { startScriptedModel } from './scripted-server.ts';

const terminal = processTerminal();
const { err: say, paint } = terminal;

interface WorkerRow {
  readonly workerId: string;
  readonly pid: number;
  readonly seenAt: string;
}

/** A real project with failing tests, in a repository of its own. */
async function makeWorkspace(root: string): Promise<string> {
  const workspace = join(root, 'invoice-totals');
  await cp(fileURLToPath(new URL('./project', import.meta.url)), workspace, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=demo', '-c', 'user.email=demo@localhost', 'commit', '-qm', 'Failing tests');
  if (process.getuid?.() === 0) await giveToNobody(root, workspace);
  return workspace;
}

/** Without a sandbox, no command runs in a folder of root's: an ordinary user has to get to it. */
async function giveToNobody(root: string, workspace: string): Promise<void> {
  execFileSync('chown', ['-R', '65534:65534', workspace]);
  await chmod(root, 0o711);
}

async function killWorker(client: Client): Promise<void> {
  const { items } = await client.get<{ items: WorkerRow[] }>('/v1/workers');
  const [newest] = items.toSorted((a, b) => b.seenAt.localeCompare(a.seenAt));
  if (newest === undefined) throw new Error('there is no worker to kill');
  process.kill(newest.pid, 'SIGKILL');
  say(paint.bad(`\n*** SIGKILL to the worker (pid ${newest.pid}) in the middle of a turn\n`));
}

interface Proof {
  readonly claim: string;
  readonly holds: boolean;
}

/** Everything that the demo promises, as the API tells it. */
async function prove(client: Client, goal: Goal, wasKilled: boolean): Promise<Proof[]> {
  const ledger = await client.get<{ items: LedgerRow[]; chain: { holds: boolean } }>(
    `/v1/goals/${goal.goalId}/ledger?limit=200`,
  );
  const { items: turns } = await client.get<{
    items: { decision: { rule: number; action: string } | null }[];
  }>(`/v1/goals/${goal.goalId}/turns`);
  const edits = ledger.items.filter(
    (row) => row.tool === 'edit_file' && row.phase === 'settled' && row.outcome === 'succeeded',
  );
  const tokens = new Set(ledger.items.map((row) => row.token));
  const proof = ledger.items.filter((row) => goal.completion?.receipts.includes(row.seq));
  return [
    {
      claim: 'the early claim was refused by the gate',
      holds: turns.some(({ decision }) => decision?.rule === 4 && decision.action === 'refuse'),
    },
    {
      claim: 'the worker was killed, and another attempt went on',
      holds: wasKilled && tokens.size > 1,
    },
    { claim: 'each edit was made exactly once', holds: edits.length === 2 },
    {
      claim: 'the goal is complete and verified',
      holds: goal.status === 'complete' && goal.completion?.verification === 'verified',
    },
    {
      claim: 'a run of `npm test` by the host itself proves it',
      holds: proof.some((row) => row.receipt?.origin === 'gate' && row.receipt.exitCode === 0),
    },
    { claim: "the ledger's hash chain holds", holds: ledger.chain.holds },
  ];
}

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-demo-'));
  const home = join(root, 'home');
  await mkdir(home, { mode: passageMode() });
  const workspace = await makeWorkspace(root);
  let onKillStep = () => {};
  const killStep = new Promise<void>((resolve) => {
    onKillStep = resolve;
  });
  const model = await startScriptedModel({
    script: demoModel((step) => {
      if (step === KILL_AT) onKillStep();
    }),
  });
  const environment = {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_DRAIN_SECONDS: '10',
    GOALKEEPER_LOG: 'warn',
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
  Object.assign(process.env, environment);
  const config = loadConfig({ ...environment, HOME: process.env.HOME });
  const stack = await startStack(config, {
    onProgress: (message) => say(paint.dim(message)),
    handOver: handOverGoals,
  });
  const stop = async () => {
    await stack.stop();
    await model.close();
  };
  const interrupted = () => void stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupted);
  try {
    const { url } = stack;
    const [grant] = config.tokens;
    const client = createClient({ url, token: grant?.token ?? '' });
    const goal = await client.send<Goal>('POST', '/v1/goals', {
      objective: 'Make the test suite of this project pass without changing the tests.',
      criteria: [{ kind: 'command', command: 'npm test' }],
      workspace: { path: workspace },
    });
    say(paint.notable(`\ngoal ${goal.goalId} in ${workspace}\n`));
    let wasKilled = false;
    void killStep.then(async () => {
      await killWorker(client);
      wasKilled = true;
    });
    const look = lookOf(100, paint);
    const narrator = narrate(client, goal.goalId, {
      goal: () => null,
      mostTurns: Number.POSITIVE_INFINITY,
      tell: (told) => screenLines(told, look).map(say),
    });
    const done = await followGoal(client, {
      goalId: goal.goalId,
      signal: AbortSignal.timeout(180_000),
      onEvent: (event) => narrator.hear(event),
      onCaughtUp: () => {},
      onAway: () => say(paint.notable('the service is away; waiting for it')),
    });
    await narrator.told();
    terminal.out(`\n${goalText(done)}\n`);
    const proofs = await prove(client, done, wasKilled);
    for (const { claim, holds } of proofs) {
      terminal.out(`${holds ? paint.good('proved') : paint.bad('NOT SO')}  ${claim}`);
    }
    terminal.out(
      `\nThe workspace stays at ${workspace} (${process.getuid?.() === 0 ? "git -c safe.directory='*' diff" : 'git diff'} shows the work), the record at ${home}.` +
        `\nLook again with: GOALKEEPER_HOME=${home} node dist/src/cli/main.js up` +
        `\n           then: GOALKEEPER_HOME=${home} node dist/src/cli/main.js show ${goal.goalId} --turns`,
    );
    process.exitCode = proofs.every(({ holds }) => holds) ? 0 : 1;
  } finally {
    process.removeListener('SIGINT', interrupted);
    await stop();
    if (process.exitCode !== 0) say(`logs of the processes are in ${home}`);
  }
}

await main();
