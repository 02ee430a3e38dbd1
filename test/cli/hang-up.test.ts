import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/cli/client.ts';
import { freshDatabase, temporalAddress } from '../support/servers.ts';
import { problemOf } from '../workflows/helpers.ts';
import { start } from './command-line.ts';

test('CFG-9 SIGHUP gives a running API the bounds of its file, and a wrong file changes nothing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-hang-up-'));
  const shop = mkdtempSync(join(tmpdir(), 'goalkeeper-shop-'));
  const write = (turns: string) =>
    writeFileSync(join(home, 'goalkeeper.config.yaml'), `budget: {maximum: {turns: ${turns}}}`);
  write('50');
  const database = await freshDatabase();
  const token = 'operator-token-of-the-test';
  const api = start(['api'], {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_TOKENS: `operator:${token}`,
    GOALKEEPER_MODEL: 'openai/gpt-5.1',
    OPENAI_API_KEY: 'unused',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress(),
  });
  onTestFinished(async () => {
    api.interrupt();
    await api.done;
    await database.drop();
    for (const folder of [home, shop]) rmSync(folder, { recursive: true });
  });
  const url =
    /listens at (http:\S+)/.exec(await api.untilErr('the API listens at http'))?.[1] ?? '';
  const client = createClient({ url, token });
  const workspace = { path: shop };
  const ask = (turns: number) =>
    client.send<{ budget: { turns: number } }>('POST', '/v1/goals/estimate', {
      ...{ objective: 'x', workspace, budget: { turns } },
    });
  expect((await ask(50)).budget.turns).toBe(50);
  write('20');
  api.hangUp();
  await api.untilErr('the rules of goals are those of the file now');
  expect(await problemOf(ask(50))).toMatchObject({ field: 'budget.turns', maximum: 20 });
  write('-1');
  api.hangUp();
  await api.untilErr('the settings stay as they are');
  expect((await ask(20)).budget.turns).toBe(20);
  api.interrupt();
  expect((await api.done).exitCode).toBe(0);
});

test.each([
  ['what it found', ['help'], 'stdout'],
  ['why it failed', ['show', 'g-1'], 'stderr'],
] as const)(
  'TERM-79 a command whose reader is gone ends without a word, where it prints %s',
  async (_what, args, stream) => {
    const command = start(args);
    command.leave(stream);
    expect(await command.done).toEqual({ exitCode: 141, out: '', err: '' });
  },
);
