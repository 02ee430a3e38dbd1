import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatRequest, reply, type Script } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { goalkeeper } from '../hooks/session.ts';
import { TOKENS } from '../support/goal-world.ts';
import { processesIn } from '../support/processes-in.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { installed } from './install.ts';

const done = reply.text('I am done.');
const write = reply.call('Bash', { command: 'printf 42 > answer.txt', description: 'Writes' });

const isBlocked = ({ messages }: ChatRequest) =>
  messages.some((message) => message.text.includes('is not proven yet'));

/** Says early that it is done, works once it is blocked, and says it again. */
const early: Script = (request) => {
  if (request.tools.length === 0) return reply.text('A title');
  const hasWorked = request.messages.some(({ role }) => role === 'tool');
  return isBlocked(request) && !hasWorked ? write : done;
};
/** Says that it is done, whatever it is told. */
const stubborn: Script = (request) => (request.tools.length === 0 ? reply.text('A title') : done);

const CRITERION = 'test "$(cat answer.txt)" = 42';

let goals: ScriptedGoals;
let model: ScriptedModel;
let script: Script = early;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  goals = await openScriptedGoals({});
  model = await startScriptedModel({ script: (request) => script(request) });
  environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
}, 600_000);
afterAll(async () => {
  await model?.close();
  await goals?.world.close();
});

async function adopted(
  criterion = CRITERION,
): Promise<{ readonly folder: string; readonly goalId: string }> {
  const folder = await goals.world.workspace({});
  const hooked = await goalkeeper(['hook', 'install', 'claude'], { environment, cwd: folder });
  if (hooked.exitCode !== 0) throw new Error(hooked.err);
  const args = ['adopt', 'Write the answer', '--json', '--criterion', criterion];
  const ran = await goalkeeper([...args, '--scope', 'answer.txt'], { environment, cwd: folder });
  if (ran.exitCode !== 0) throw new Error(ran.err);
  return { folder, goalId: (JSON.parse(ran.out) as Goal).goalId };
}

const claude = async (folder: string, prompt: string): Promise<string> =>
  await (await beginClaude(folder, prompt)).said;

/** The real one, without a terminal, in a group of its own; its words line by line. */
async function beginClaude(folder: string, prompt: string) {
  const program = join(installed('@anthropic-ai/claude-code-linux-x64', '2.1.328'), 'claude');
  const home = await mkdtemp(join(tmpdir(), 'goalkeeper-claude-'));
  const how = ['--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash'];
  const child = spawn(program, ['-p', prompt, ...how], {
    cwd: folder,
    env: {
      ...environment,
      PATH: process.env.PATH ?? '',
      HOME: home,
      ANTHROPIC_BASE_URL: model.url.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: 'none-needed',
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const said = Promise.all([text(child.stdout), text(child.stderr), closed]).then(
    ([out, err]) => `${out}\n${err}`,
  );
  return {
    said,
    /** Ctrl-C of a terminal reaches all of its group. */
    interrupt: () => void process.kill(-(child.pid ?? Number.NaN), 'SIGINT'),
  };
}

describe('a session of Claude Code', () => {
  test('HOOK-17 that says early that it is done is blocked with the reason, works, and is let go proven', async () => {
    script = early;
    const { folder, goalId } = await adopted();
    const said = await claude(folder, 'Please write the answer');
    expect(await goals.world.get(goalId), said).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
      usage: { turns: 2 },
    });
    const told = model.requests.flatMap(({ messages }) => messages.map((message) => message.text));
    expect(told.some((words) => words.includes('Goalkeeper judges the work in this folder'))).toBe(
      true,
    );
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    const own = items.filter(({ tool, phase }) => tool === 'agent.execute' && phase === 'settled');
    expect(own.map(({ receipt }) => receipt?.origin)).toEqual(['agent']);
  });

  test('HOOK-17 that never does anything is let go by the service before Claude Code would', async () => {
    script = stubborn;
    const { folder, goalId } = await adopted();
    await claude(folder, 'Please write the answer');
    expect((await goals.world.get(goalId)).pause?.reason).toBe('no_progress');
    expect(await goals.turns(goalId)).toHaveLength(3);
  });

  test('HOOK-25 that is interrupted while its stop is judged ends at once with its hook, and the next one goes on to a proven end', async () => {
    script = stubborn;
    const { folder, goalId } = await adopted(`sleep 5; ${CRITERION}`);
    const first = await beginClaude(folder, 'Please write the answer');
    await waitUntil(async () => (await goals.world.get(goalId)).activity.on !== 'session');
    first.interrupt();
    const said = await first.said;
    // One that went on would have been let go by the rules on progress.
    expect((await goals.world.get(goalId)).status, said).toBe('active');
    expect(await processesIn(folder, 'claude')).toEqual([]);
    script = early;
    const later = await claude(folder, 'Please go on');
    expect(await goals.world.get(goalId), later).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
    });
  });
});
