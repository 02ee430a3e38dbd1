import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal } from '../../schema/goal.ts';
import { compiled } from '../support/compiled.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
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
    goals = await openScriptedGoals({}, { worker: false });
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
    const { items } = await goals.world.client.get<{ items: Goal[] }>('/v1/goals?limit=5');
    expect(items.map(({ workspace }) => workspace.path)).toEqual([folder]);
  });
});
