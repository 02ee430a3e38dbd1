import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as next from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal } from '../../schema/goal.ts';
import { compiled } from '../support/compiled.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { installed } from './install.ts';

const START = { objective: 'idle: go', criteria: [{ kind: 'command', command: 'true' }] };

/** Starts a goal by the server's tool, and ends its turn. */
const script: Script = ({ tools, messages }) => {
  const start = tools.find((name) => name.endsWith('start_goal'));
  const hasCalled = messages.some(({ role }) => role === 'tool');
  return start === undefined || hasCalled ? reply.text('Started.') : reply.call(start, START);
};

describe('real clients of goalkeeper mcp', () => {
  let goals: ScriptedGoals;
  let model: ScriptedModel;
  beforeAll(async () => {
    goals = await openScriptedGoals({ writes: sequence([write, claim]) }, { worker: false });
    model = await startScriptedModel({ script });
  }, 600_000);
  afterAll(async () => {
    await model?.close();
    await goals?.world.close();
  });

  test('MCP-16 Claude Code starts a goal in the folder that it works in, without naming it', async () => {
    const folder = await goals.world.workspace({});
    const program = join(installed('@anthropic-ai/claude-code-linux-x64', '2.1.328'), 'claude');
    const env = {
      GOALKEEPER_HOME: '/nonexistent',
      GOALKEEPER_URL: goals.world.url,
      GOALKEEPER_TOKEN: TOKENS.operator,
    };
    const goalkeeper = {
      command: process.execPath,
      args: [compiled('src/cli/main.ts'), 'mcp'],
      env,
    };
    const settings = JSON.stringify({ mcpServers: { goalkeeper } });
    const how = ['--mcp-config', settings, '--allowedTools', 'mcp__goalkeeper'];
    const running = promisify(execFile)(program, ['-p', 'Start a goal', ...how], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: await mkdtemp(join(tmpdir(), 'goalkeeper-claude-')),
        ANTHROPIC_BASE_URL: model.url.replace(/\/v1$/, ''),
        ANTHROPIC_API_KEY: 'none-needed',
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
        ENABLE_TOOL_SEARCH: 'false',
      },
    });
    running.child.stdin?.end();
    const { stdout } = await running;
    expect(stdout).toContain('Started.');
    expect(await foldersOfGoals()).toContain(folder);
  });

  test('MCP-37 Codex starts a goal in the folder that it works in, by the lines that the docs give', async () => {
    const folder = await goals.world.workspace({});
    const own = join(installed('@openai/codex', '0.169.0'), '..', 'codex-linux-x64');
    const program = join(own, 'vendor/x86_64-unknown-linux-musl/bin/codex');
    // Codex wants its home outside of the folder for temporary files.
    const caches = join(homedir(), '.cache/goalkeeper');
    await mkdir(caches, { recursive: true });
    const home = await mkdtemp(join(caches, 'codex-mcp-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await writeFile(
      join(home, 'config.toml'),
      `model = "scripted"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.local]
name = "local"
base_url = "${model.url}"
wire_api = "responses"
`,
    );
    await placeGoalkeeper(home);
    const env = {
      PATH: `${home}:${process.env.PATH ?? ''}`,
      ...{ HOME: home, CODEX_HOME: home },
    };
    const codex = async (...args: string[]) => {
      const running = promisify(execFile)(program, args, { cwd: folder, env });
      running.child.stdin?.end();
      return (await running).stdout;
    };
    const named = ['--env', 'GOALKEEPER_HOME=/nonexistent', '--env'].concat(
      `GOALKEEPER_URL=${goals.world.url}`,
      ...['--env', `GOALKEEPER_TOKEN=${TOKENS.operator}`],
    );
    await codex('mcp', 'add', 'goalkeeper', ...named, '--', 'goalkeeper', 'mcp');
    const how = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    expect(await codex(...how, 'Start a goal')).toContain('Started.');
    expect(await foldersOfGoals()).toContain(folder);
  });

  test('MCP-39 OpenCode starts a goal in the folder that it works in, by the line that the docs give', async () => {
    const home = await mkdtemp(join(tmpdir(), 'goalkeeper-opencode-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await placeGoalkeeper(home);
    const folder = await goals.world.workspace({ 'opencode.json': lineFor('OpenCode') });
    const local = {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: model.url, apiKey: 'none-needed' },
      models: { m: { name: 'm' } },
    };
    const config = { provider: { local }, model: 'local/m', small_model: 'local/m' };
    const program = join(installed('opencode-linux-x64', '1.18.33'), 'bin/opencode');
    const running = promisify(execFile)(program, ['run', 'Start a goal'], {
      cwd: folder,
      env: {
        PATH: `${home}:${process.env.PATH ?? ''}`,
        ...{ HOME: home, GOALKEEPER_HOME: '/nonexistent', GOALKEEPER_URL: goals.world.url },
        ...{ GOALKEEPER_TOKEN: TOKENS.operator, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    });
    running.child.stdin?.end();
    expect((await running).stdout).toContain('Started.');
    expect(await foldersOfGoals()).toContain(folder);
  });

  test('MCP-38 the tasks client of the protocol’s own project holds a goal as a task to its proven end', async () => {
    const path = await goals.world.workspace({});
    const { name } = await goals.world.client.send<{ name: string }>('POST', '/v1/workspaces', {
      path,
    });
    const worker = await goals.world.startWorker();
    const url = new URL('/mcp', goals.world.url);
    const client = new next.Client(
      { name: 'tasks', version: '1' },
      { versionNegotiation: { mode: { pin: REVISION } } },
    );
    const authorization = `Bearer ${TOKENS.agent}`;
    await client.connect(
      new next.StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
    );
    const { createTaskSessionFromClient } = await tasksClient();
    const session = createTaskSessionFromClient(client, {
      endpointId: 'goalkeeper',
      rawDispatch: (request) => dispatch(url, authorization, request),
      v2RequestFraming: {
        protocolVersion: REVISION,
        clientInfo: { name: 'tasks', version: '1' },
        clientCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      },
    });
    const execution = await session.callTool('start_goal', {
      objective: 'writes: go',
      workspace: { name },
      criteria: [{ kind: 'file', path: 'answer.txt', exists: true }],
    });
    const { outcome } = await execution.settle();
    const told = JSON.stringify(outcome);
    expect(told).toContain('"status":"complete"');
    expect(told).toContain('"verification":"verified"');
    await session.close();
    await client.close();
    worker.stop();
    await worker.done;
  });

  async function foldersOfGoals(): Promise<string[]> {
    const { items } = await goals.world.client.get<{ items: Goal[] }>('/v1/goals?limit=5');
    return items.map(({ workspace }) => workspace.path);
  }
});

/** `goalkeeper` of a PATH with this folder is this build. */
async function placeGoalkeeper(folder: string): Promise<void> {
  const line = `exec '${process.execPath}' '${compiled('src/cli/main.ts')}' "$@"`;
  await writeFile(join(folder, 'goalkeeper'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

/** What the docs give people of this client to paste. */
function lineFor(client: string): string {
  const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((one) => one.startsWith(`| ${client} |`)) ?? '';
  const [, line] = [...row.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
  if (line === undefined) throw new Error(`docs/mcp.md has no line for ${client}`);
  return line;
}

const REVISION = '2026-07-28';

/** What the session sends is already framed: only HTTP is left. */
async function dispatch(url: URL, authorization: string, request: FramedRequest) {
  const { method, params } = request;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ authorization, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-method': method },
      ...{ 'mcp-protocol-version': REVISION, 'mcp-name': params.taskId ?? params.name ?? '' },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
  });
  const text = await response.text();
  const line = text.split('\n').find((one) => one.startsWith('data: '));
  const { result, error } = JSON.parse(line?.slice(6) ?? text) as {
    result?: object;
    error?: object;
  };
  return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
}

interface FramedRequest {
  readonly method: string;
  readonly params: { readonly name?: string; readonly taskId?: string };
}

interface TasksClient {
  createTaskSessionFromClient(
    client: next.Client,
    options: {
      readonly endpointId: string;
      readonly rawDispatch: (request: FramedRequest) => Promise<object>;
      readonly v2RequestFraming: object;
    },
  ): {
    callTool(name: string, args: object): Promise<{ settle(): Promise<{ outcome: unknown }> }>;
    close(): Promise<void>;
  };
}

async function tasksClient(): Promise<TasksClient> {
  const peer = '@modelcontextprotocol/client@2.4.0';
  const folder = installed('@modelcontextprotocol/ext-tasks', '0.2.2', peer);
  const file = pathToFileURL(join(folder, 'dist/client/index.js')).href;
  return (await import(/* @vite-ignore */ file)) as TasksClient;
}
