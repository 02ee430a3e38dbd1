import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Schedule } from '../../schema/schedule.ts';
import { start } from '../cli/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';

let world: GoalWorld;
let path: string;
beforeAll(async () => {
  world = await openGoalWorld({ script: sequence([reply.text('?')]) });
  path = await world.workspace({ 'a.txt': 'a' });
});
afterAll(() => world.close());

const schedule = (...args: string[]) =>
  start(['schedule', ...args], { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin }).done;

async function answered(...args: string[]): Promise<Schedule> {
  const { exitCode, out, err } = await schedule(...args, '--json');
  expect([exitCode, err]).toEqual([0, '']);
  return JSON.parse(out);
}

/** What people say of it, without what counts and when it comes. */
const saidOf = ({ name, when, overlap, start, wake }: Schedule) => ({
  ...{ name, when, overlap, wake },
  start: start && { objective: start.objective, mode: start.mode, budget: start.budget },
});

describe('SCHED-19 a schedule that is changed at the command line', () => {
  test('keeps what is not said, and takes what it starts as a whole', async () => {
    const begun = ['--workspace', path, '--no-terms', '--mode', 'gather', '--budget-turns', '5'];
    const made = await answered('create', 'nightly', 'Look', '--cron', '0 3 * * *', ...begun);
    const at = { cron: '0 3 * * *', timeZone: 'Europe/Berlin' };
    const inBerlin = await answered('change', 'nightly', '--time-zone', 'Europe/Berlin');
    expect(saidOf(inBerlin)).toEqual({ ...saidOf(made), when: at });
    const renamed = await answered('change', 'nightly', '--name', 'daily', '--overlap', 'queue');
    expect(saidOf(renamed)).toEqual({ ...saidOf(inBerlin), name: 'daily', overlap: 'queue' });
    const often = await answered('change', made.scheduleId, '--every', '90m');
    expect(saidOf(often)).toEqual({ ...saidOf(renamed), when: { everySeconds: 5400 } });
    const anew = ['--workspace', path, '--no-terms', '--mode', 'gather'];
    const other = await answered('change', 'daily', 'Look closer', ...anew);
    expect(other.start).toEqual({ ...made.start, objective: 'Look closer', budget: undefined });
    expect(other.revision).toBe(made.revision + 4);
  });

  test('SCHED-21 is made by a template, run, paused, resumed, listed and deleted', {
    tags: 'campaign',
  }, async () => {
    const folder = await world.workspace({
      'goalkeeper.yaml':
        'templates: {look: {parameters: {at: {}}, objective: "Look at {{at}}", mode: gather}}',
    });
    const by = ['--workspace', folder, '--template', 'look', '--set', 'at=the log'];
    const ran = await schedule('create', 'looks', ...by, '--cron', '0 3 31 12 *', '--json');
    const made: Schedule = JSON.parse(ran.out);
    expect(made.start).toMatchObject({ objective: 'Look at the log', mode: 'gather' });
    await answered('run-now', 'looks');
    const started = await eventually(async () => {
      const { runs } = await answered('show', 'looks');
      if (runs[0]?.state !== 'started') throw new Error(JSON.stringify(runs));
      return world.get(runs[0].goalId ?? '');
    });
    expect(started.objective).toBe('Look at the log');
    expect(await answered('pause', 'looks')).toMatchObject({ paused: expect.anything() });
    const listed = await schedule('list');
    expect(listed.out).toMatch(/looks .*paused/);
    expect((await answered('resume', 'looks')).paused).toBeFalsy();
    expect((await schedule('delete', 'looks')).exitCode).toBe(0);
    expect((await schedule('list')).out).not.toContain('looks');
    const wrong = await schedule('create', 'never', 'x', '--cron', '61 * * * *', '--no-terms');
    expect([wrong.exitCode, wrong.err]).toEqual([3, expect.stringContaining('when.cron')]);
  });

  test('tells a goal that it wakes something else, and wakes no goal where it starts one', async () => {
    const body = { objective: 'x', mode: 'gather', criteria: [], workspace: { path } };
    const { goalId } = await world.client.send<{ goalId: string }>('POST', '/v1/goals', body);
    const made = await answered('create', 'beat', '--wake', goalId, '--text', 'a', '--every', '1d');
    expect(made.wake).toEqual({ goalId, text: 'a' });
    expect((await answered('change', 'beat', '--text', 'b')).wake).toEqual({ goalId, text: 'b' });
  });

  test.each([
    ['says nothing', [], 'Nothing is changed.'],
    ['names a part of a start', ['--budget-turns', '9'], 'and --budget-turns is a part of it'],
    ['has a text for nobody', ['--text', 'x'], '--text is what a goal is told that is woken'],
    ['has no such span', ['--every', 'soon'], '--every soon is no span of time'],
  ])('is refused where it %s, with the way out', async (what, args, told) => {
    const name = `as it was ${what}`;
    const begun = ['--every', '1d', '--workspace', path, '--no-terms', '--mode', 'gather'];
    const made = await answered('create', name, 'Look', ...begun);
    const { exitCode, err } = await schedule('change', name, ...args);
    expect([exitCode, err]).toEqual([3, expect.stringContaining(told)]);
    expect(await answered('show', name)).toEqual(made);
  });
});
