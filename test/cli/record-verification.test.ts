import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { start } from './command-line.ts';

let world: GoalWorld;
let folder: string;
let place: string;
let goalId: string;
const goalkeeper = (...args: string[]) =>
  start(args, {
    GOALKEEPER_URL: world.url,
    GOALKEEPER_TOKEN: TOKENS.admin,
  }).done;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-heads-'));
  place = join(folder, 'heads');
  world = await openGoalWorld({
    script: sequence([
      reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
      reply.call('attempt_completion', { result: 'It is done.' }),
    ]),
    environment: {
      GOALKEEPER_LEDGER_KEY: 'a key that seals the ledger of this test',
      GOALKEEPER_ANCHORS: `file:${place}`,
    },
  });
  const goal = await world.start({
    objective: 'nothing',
    criteria: [{ kind: 'command', command: 'test -s answer.txt' }],
    workspace: { path: await world.workspace({}) },
  });
  goalId = goal.goalId;
  await world.until(goalId, ({ status }) => status !== 'active');
  await world.recorded(goalId);
  // The head of a completed goal follows within seconds.
  await eventually(async () => expect(await readFile(place, 'utf8')).toContain(goalId));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Triggers keep everybody but the owner from it. */
const asOwner = (table: string, statement: string) =>
  world.database.unsafe(
    `ALTER TABLE ${table} DISABLE TRIGGER ALL; ${statement}; ALTER TABLE ${table} ENABLE TRIGGER ALL`,
  );

test('REC-57 heads are shown with their places, and compared with the database', async () => {
  const shown = await goalkeeper('anchors');
  expect(shown.out).toMatch(/^head \d+ of .+\nfile:.+: has \d+$/m);
  const verified = await goalkeeper('anchors', 'verify', '--anchor', place);
  expect(verified).toMatchObject({ exitCode: 0 });
  expect(verified.out).toMatch(/^the database continues all \d+ anchors/);
  const copy = join(folder, 'copy');
  await writeFile(copy, `${await readFile(place, 'utf8')}no head\n`);
  const damaged = await goalkeeper('anchors', 'verify', '--anchor', copy);
  expect(damaged).toMatchObject({ exitCode: 3 });
  expect(damaged.err).toMatch(/holds no anchor in line \d+/);
  const missing = await goalkeeper('anchors', 'verify', '--anchor', join(folder, 'none'));
  expect(missing).toMatchObject({ exitCode: 3 });
});

test('REC-57 a goal whose ledger went back is named', async () => {
  await asOwner('ledger', `DELETE FROM ledger WHERE goal_id = '${goalId}'`);
  const found = await goalkeeper('anchors', 'verify');
  expect(found).toMatchObject({ exitCode: 1 });
  expect(found.out).toContain(goalId);
});

test('REC-57 a security log that lost an entry does not hold, and says the way out', async () => {
  const whole = await goalkeeper('security-log', 'verify');
  expect(whole).toMatchObject({ exitCode: 0 });
  expect(whole.out).toMatch(/entries of the security log hold; sealed from number/);
  const listed = await goalkeeper('security-log', '--json');
  const [newest] = listed.out.trim().split('\n');
  expect(JSON.parse(newest ?? '')).toMatchObject({ what: expect.any(String) });
  await asOwner(
    'security_log',
    'DELETE FROM security_log WHERE seq = (SELECT max(seq) FROM security_log)',
  );
  const cut = await goalkeeper('security-log', 'verify');
  expect(cut).toMatchObject({ exitCode: 1 });
  expect(cut.out).toMatch(/does not hold: .+\n.+/);
});
