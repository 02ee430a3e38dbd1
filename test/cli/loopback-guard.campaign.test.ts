import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { createClient } from '../../src/cli/client.ts';
import { findService } from '../../src/cli/service.ts';
import { whyNoOwnNetwork } from '../../src/sandbox/namespace.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { answerExists } from '../api/live-script.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { testWith } from '../support/needs.ts';
import { CLI_FOLDER } from '../support/servers.ts';
import { start } from './command-line.ts';
import { openUp, type UpWorld } from './up-world.ts';

/** With a Temporal of its own. */
let world: UpWorld;
const home = memoryFolder('goalkeeper-guarded-');
const workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-tree-'));
const STRANGER = fileURLToPath(new URL('../stack/stranger.cjs', import.meta.url));

const whyOpen = await whyNoOwnNetwork();
const reachHere = whyOpen === null ? 'own processes reach it' : 'every process';
const portOf = (url: string | null | undefined): string => /:(\d+)$/.exec(url ?? '')?.[1] ?? '';

/** What the model has the goal's command try: Temporal, and the API for comparison. */
function attempt(): string {
  const { temporalAddress, apiUrl } = readRunState(home) ?? {};
  const ask = (name: string, of: string | null | undefined) =>
    `echo ${name} $(node stranger.cjs ${portOf(of)})`;
  return `${ask('temporal', temporalAddress)}; ${ask('api', apiUrl)}`;
}

beforeAll(async () => {
  symlinkSync(CLI_FOLDER, join(home, 'bin'));
  copyFileSync(STRANGER, join(workspace, 'stranger.cjs'));
  const script: Script = (request) =>
    sequence([
      reply.call('run_command', { command: attempt() }),
      reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
      reply.call('attempt_completion', { result: 'The answer is there.' }),
    ])(request);
  world = await openUp(script, { GOALKEEPER_HOME: home });
});

afterAll(async () => {
  await world.close();
  for (const folder of [home, workspace]) rmSync(folder, { recursive: true, force: true });
});

testWith({ what: 'no network of its own', isThere: whyOpen === null })(
  "GRD-7 a goal's command with the machine's network gets no byte from Temporal, while worker and API drive the goal by it",
  async () => {
    const service = findService({ GOALKEEPER_HOME: home });
    const client = createClient(service);
    const { goalId } = await client.send<Goal>('POST', '/v1/goals', {
      objective: 'tries: go',
      workspace: { path: workspace },
      criteria: [answerExists],
      policy: { sandbox: { network: 'host' } },
      scope: { change: ['answer.txt'] },
    });
    await expect
      .poll(async () => (await client.get<Goal>(`/v1/goals/${goalId}`)).status, { interval: 200 })
      .not.toBe('active');
    expect(await client.get<Goal>(`/v1/goals/${goalId}`)).toMatchObject({
      status: 'complete',
      isolation: 'partial',
    });
    const ledger = `/v1/goals/${goalId}/ledger`;
    const { items } = await client.get<{ items: { seq: number }[] }>(`${ledger}?tool=run_command`);
    const output = await fetch(`${service.url}${ledger}/${items.at(-1)?.seq}/output`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    expect(await output.text()).toMatch(/temporal 0\napi [1-9]/);
    await world.up.untilErr('Security: refused a connection to Temporal by');
  },
);

test.each([
  ['everybody without bubblewrap', () => workspace, 'every process of this machine reaches'],
  ['the service alone, where it can be', () => process.env.PATH ?? '', reachHere],
])('GRD-6 doctor says who reaches the embedded Temporal: %s', async (_, path, says) => {
  const { out } = await start(['doctor'], { GOALKEEPER_HOME: home, PATH: path() }).done;
  const mark = says === 'every process of this machine reaches' ? 'WARN' : '(ok|WARN)';
  expect(out).toMatch(new RegExp(`^${mark} +temporal .*${says}`, 'm'));
});
