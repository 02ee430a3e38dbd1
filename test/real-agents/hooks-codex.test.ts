import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { goalkeeper } from '../hooks/session.ts';
import { TOKENS } from '../support/goal-world.ts';
import { processesIn } from '../support/processes-in.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { installed } from './install.ts';

const CRITERION = 'test "$(cat answer.txt)" = 42';

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const message = {
  type: 'message',
  role: 'assistant',
  id: 'm1',
  content: [{ type: 'output_text', text: 'I am done.' }],
};
const call = {
  type: 'function_call',
  call_id: 'c1',
  name: 'exec_command',
  arguments: JSON.stringify({ cmd: 'printf 42 > answer.txt' }),
};

/** A model that says early that it is done, works once it is told what is missing, and says it again. */
async function answer(request: IncomingMessage, response: ServerResponse, works: boolean) {
  const body = await text(request);
  if (request.method !== 'POST') return void response.writeHead(404).end();
  seen.push(body);
  const isBlocked = body.includes('is not proven yet');
  const hasWorked = body.includes('function_call_output');
  const item = works && isBlocked && !hasWorked ? call : message;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: { readonly type: string }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  send({ type: 'response.created', response: { id: 'r1' } } as never);
  send({ type: 'response.output_item.done', item } as never);
  send({ type: 'response.completed', response: { id: 'r1', usage } } as never);
  response.end();
}

const seen: string[] = [];
let works = true;
let goals: ScriptedGoals;
let model: Server;
let home: string;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  goals = await openScriptedGoals({});
  model = createServer((request, response) => void answer(request, response, works));
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const { port } = model.address() as AddressInfo;
  // Codex wants its home outside of the folder for temporary files.
  const caches = join(homedir(), '.cache/goalkeeper');
  mkdirSync(caches, { recursive: true });
  home = mkdtempSync(join(caches, 'codex-home-'));
  writeFileSync(
    join(home, 'config.toml'),
    `model = "scripted"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
`,
  );
  environment = {
    GOALKEEPER_URL: goals.world.url,
    GOALKEEPER_TOKEN: TOKENS.operator,
    CODEX_HOME: home,
  };
  const hooked = await goalkeeper(['hook', 'install', 'codex', '--user'], { environment });
  if (hooked.exitCode !== 0) throw new Error(hooked.err);
}, 600_000);
afterAll(async () => {
  model?.close();
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
  await goals?.world.close();
});

async function adopted(
  criterion = CRITERION,
): Promise<{ readonly folder: string; readonly goalId: string }> {
  const folder = await goals.world.workspace({});
  const args = ['adopt', 'Write the answer', '--json', '--criterion', criterion];
  const ran = await goalkeeper([...args, '--scope', 'answer.txt'], { environment, cwd: folder });
  if (ran.exitCode !== 0) throw new Error(ran.err);
  return { folder, goalId: (JSON.parse(ran.out) as Goal).goalId };
}

const codex = (folder: string, prompt: string): Promise<string> => beginCodex(folder, prompt).said;

/** The platform's own binary, without a terminal, in a group of its own; its words line by line. */
function beginCodex(folder: string, prompt: string) {
  const own = join(installed('@openai/codex', '0.169.0'), '..', 'codex-linux-x64');
  const program = join(own, 'vendor/x86_64-unknown-linux-musl/bin/codex');
  const how = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'];
  const child = spawn(program, [...how, prompt], {
    cwd: folder,
    env: { ...environment, PATH: process.env.PATH ?? '', HOME: home },
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

describe('a session of Codex', () => {
  test('HOOK-18 that says early that it is done is blocked with the reason, works, and is let go proven', async () => {
    works = true;
    const { folder, goalId } = await adopted();
    const said = await codex(folder, 'Please write the answer');
    expect(await goals.world.get(goalId), said).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
      usage: { turns: 2 },
    });
    expect(seen.some((body) => body.includes('Goalkeeper judges the work in this folder'))).toBe(
      true,
    );
  });

  test('HOOK-18 that never does anything is let go by the service, since Codex itself never would', async () => {
    works = false;
    const { folder, goalId } = await adopted();
    const said = await codex(folder, 'Please write the answer');
    expect((await goals.world.get(goalId)).pause?.reason, said).toBe('no_progress');
    expect(await goals.turns(goalId)).toHaveLength(3);
  });

  test('HOOK-26 that is interrupted while its stop is judged ends at once with its hook, and the next one goes on to a proven end', async () => {
    works = false;
    const { folder, goalId } = await adopted(`sleep 5; ${CRITERION}`);
    const first = beginCodex(folder, 'Please write the answer');
    await waitUntil(async () => (await goals.world.get(goalId)).activity.on !== 'session');
    first.interrupt();
    const said = await first.said;
    // One that went on would have been let go by the rules on progress.
    expect((await goals.world.get(goalId)).status, said).toBe('active');
    expect(await processesIn(folder, 'codex')).toEqual([]);
    works = true;
    const later = await codex(folder, 'Please go on');
    expect(await goals.world.get(goalId), later).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified', changedFiles: ['answer.txt'] },
    });
  });
});
