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
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
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

async function adopted(): Promise<{ readonly folder: string; readonly goalId: string }> {
  const folder = await goals.world.workspace({});
  const args = ['adopt', 'Write the answer', '--json', '--criterion', CRITERION];
  const ran = await goalkeeper([...args, '--scope', 'answer.txt'], { environment, cwd: folder });
  if (ran.exitCode !== 0) throw new Error(ran.err);
  return { folder, goalId: (JSON.parse(ran.out) as Goal).goalId };
}

/** The platform's own binary, without a terminal; its words line by line. */
async function codex(folder: string, prompt: string): Promise<string> {
  const own = join(installed('@openai/codex', '0.169.0'), '..', 'codex-linux-x64');
  const program = join(own, 'vendor/x86_64-unknown-linux-musl/bin/codex');
  const how = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'];
  const child = spawn(program, [...how, prompt], {
    cwd: folder,
    env: { ...environment, PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return `${out}\n${err}`;
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
});
