import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Schedule, ScheduleRun } from '../../schema/schedule.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { MadeToken } from '../../schema/token.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, OWN, openGoalWorld, TOKENS } from '../support/goal-world.ts';

const scripts: Record<string, Script> = {
  ask: sequence([reply.call('ask_user', { question: 'Go on?' })]),
  /** Waits long, and says each time that it was woken. */
  stand: () => reply.call('continue_work', { delaySeconds: 300, reason: 'until something comes' }),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

const LEDGER_KEY = 'a-ledger-key-of-schedules-0000000';

let world: GoalWorld;
let path: string;
let names = 0;
beforeAll(async () => {
  world = await openGoalWorld({ script, environment: { GOALKEEPER_LEDGER_KEY: LEDGER_KEY } });
  path = await world.workspace({ 'a.txt': 'a' });
});
afterAll(() => world.close());

const startOf = (objective: string) => ({ ...OWN, objective, workspace: { path }, criteria: [] });

interface Made {
  readonly client?: Client;
}

async function make(more: object = {}, { client = world.client }: Made = {}): Promise<Schedule> {
  names += 1;
  const what = 'wake' in more ? {} : { start: startOf('ask: now') };
  const base = { name: `schedule ${names}`, when: HOURLY, ...what };
  return await client.send<Schedule>('POST', '/v1/schedules', { ...base, ...more });
}

const get = ({ scheduleId }: Schedule) =>
  world.client.get<Schedule>(`/v1/schedules/${scheduleId}?runs=200`);

const change = ({ scheduleId }: Schedule, what: string, client = world.client) =>
  client.send<Schedule>('POST', `/v1/schedules/${scheduleId}/${what}`, {});

/** Each hour, half an hour away from now, so that none comes meanwhile. */
const HOURLY = { cron: `${(new Date().getUTCMinutes() + 30) % 60} * * * *` };

/** As if nobody had looked for so many due times. */
const backdate = ({ scheduleId }: Schedule, count: number) =>
  world.database.begin(async (tx) => {
    await tx`SET LOCAL session_replication_role = replica`;
    await tx`
      UPDATE schedule SET next_due_at = next_due_at - make_interval(hours => ${count}),
        cursor_at = coalesce(next_due_at, now()) - make_interval(hours => ${count}, secs => 1)
      WHERE schedule_id = ${scheduleId}`;
  });

const untilRuns = (schedule: Schedule, holds: (runs: readonly ScheduleRun[]) => boolean) =>
  eventually(async () => {
    const { runs } = await get(schedule);
    if (!holds(runs)) throw new Error(`not yet: ${JSON.stringify(runs, null, 1)}`);
    return runs;
  });

const isSettled = (runs: readonly ScheduleRun[]) =>
  runs.length > 0 && runs.every(({ state }) => state !== 'due' && state !== 'waiting');

const complete = (goalId: string | undefined) =>
  world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'done by hand' });

const statesOf = (runs: readonly ScheduleRun[]) =>
  [...runs]
    .reverse()
    .map(({ state, count }) => (count === undefined ? state : `${state} ${count}`));

const refusal = (code: string) => ({ problem: { code } });

const logOf = async ({ scheduleId }: Schedule) => {
  const { items } = await world.client.get<{ items: SecurityEntry[] }>(
    '/v1/security-log?limit=200',
  );
  return items.filter(({ subject }) => subject === scheduleId).reverse();
};

async function token(role: string, name: string): Promise<Client> {
  const made = await world.client.send<MadeToken>('POST', '/v1/tokens', { name, role });
  return createClient({ url: world.url, token: made.token });
}

describe('a schedule that starts goals', () => {
  test('SCHED-6 starts one when it is due, as its owner, and says when the next one comes', async () => {
    const schedule = await make();
    expect(Date.parse(schedule.nextDueAt ?? '')).toBeGreaterThan(Date.now());
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'started' });
    const goal = await world.until(run?.goalId ?? '', ({ status }) => status === 'paused');
    expect(goal.objective).toBe('ask: now');
    const [row] = await world.database`
      SELECT created_by FROM goal WHERE goal_id = ${goal.goalId}`;
    expect(row?.created_by).toBe(schedule.owner);
    expect(Date.parse((await get(schedule)).nextDueAt ?? '')).toBeGreaterThan(Date.now());
  });

  test.each([
    ['all', ['started', 'skipped', 'skipped']],
    ['last', ['missed 2', 'started']],
  ] as const)('SCHED-4 after a time without a service, %s', async (catchUp, expected) => {
    const schedule = await make({ catchUp });
    await backdate(schedule, 3);
    const runs = await untilRuns(schedule, isSettled);
    expect(statesOf(runs)).toEqual(expected);
  });

  test('SCHED-5 with queue, one waits for the goal before it, and the next is left out', async () => {
    const more = { overlap: 'queue', catchUp: 'all' };
    const schedule = await make(more);
    await backdate(schedule, 3);
    const runs = await untilRuns(schedule, (all) => all.at(-1)?.state === 'started');
    expect(statesOf(runs)).toEqual(['started', 'waiting', 'skipped']);
    await complete(runs.at(-1)?.goalId);
    const after = await untilRuns(schedule, isSettled);
    expect(statesOf(after)).toEqual(['started', 'started', 'skipped']);
    expect(new Set(after.map(({ goalId }) => goalId)).size).toBe(3);
  });

  test('SCHED-5 run-now follows the same policy, and says what stands in the way', async () => {
    const schedule = await make();
    await change(schedule, 'run');
    const [run] = await untilRuns(schedule, isSettled);
    expect(run?.askedBy).toBe(schedule.owner);
    await expect(change(schedule, 'run')).rejects.toMatchObject(refusal('invalid_transition'));
    await complete(run?.goalId);
    await change(schedule, 'run');
    expect(
      statesOf(await untilRuns(schedule, (all) => all.length === 2 && isSettled(all))),
    ).toEqual([...['started', 'started']]);
  });

  test('SCHED-7 what a start is refused for refuses the due time, and says it', async () => {
    const schedule = await make({ start: { ...startOf('ask: twice'), threadId: 'standing' } });
    await world.start({ objective: 'ask: before', workspace: { path }, threadId: 'standing' });
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'refused' });
    expect(run?.reason).toContain('unfinished goal');
  });
});

describe('who made it', () => {
  test('SCHED-8 a token that is revoked starts nothing more, and the schedule rests', async () => {
    const client = await token('operator', 'clock-operator');
    const schedule = await make({}, { client });
    await world.client.send('DELETE', '/v1/tokens/clock-operator', {});
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'refused' });
    const now = await get(schedule);
    expect(now.paused?.reason).toBe('owner_ended');
    expect(now.nextDueAt).toBeUndefined();
    await expect(change(schedule, 'resume')).rejects.toMatchObject(refusal('invalid_transition'));
    expect((await logOf(schedule)).map(({ what }) => what)).toEqual([
      ...['schedule_made', 'schedule_paused'],
    ]);
  });

  test('SCHED-8 a program makes what it might start, sees its own alone, and resumes none', {
    tags: 'campaign',
  }, async () => {
    const client = await token('agent', 'clock-program');
    // A folder gets its name with its first goal.
    await world.start(startOf('ask: first'));
    const hers = await make();
    const { workspace } = hers;
    const start = { ...startOf('ask: program'), workspace: { name: workspace } };
    const own = await make({ start }, { client });
    const { items } = await client.get<{ items: Schedule[] }>('/v1/schedules');
    expect(items.map(({ scheduleId }) => scheduleId)).toEqual([own.scheduleId]);
    await expect(client.get(`/v1/schedules/${hers.scheduleId}`)).rejects.toMatchObject(
      refusal('not_found'),
    );
    await expect(change(hers, 'pause', client)).rejects.toMatchObject(refusal('not_found'));
    const held = await change(own, 'pause', client);
    expect(held.paused).toMatchObject({ by: 'clock-program', reason: 'program' });
    await expect(change(own, 'resume', client)).rejects.toMatchObject(refusal('forbidden'));
    expect((await change(own, 'resume')).paused).toBeUndefined();
    expect((await change(own, 'pause')).paused).toMatchObject({ reason: 'person' });
    await change(own, 'resume');
    const loose = { ...start, policy: { completion: 'supported' } };
    await expect(make({ start: loose }, { client })).rejects.toMatchObject(refusal('forbidden'));
    await backdate(own, 1);
    const [run] = await untilRuns(own, isSettled);
    expect(await client.get<Goal>(`/v1/goals/${run?.goalId}`)).toMatchObject({ status: 'active' });
  });

  test('SCHED-8 acting as a viewer, an operator makes none', async () => {
    const answer = await fetch(`${world.url}/v1/schedules`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${TOKENS.operator}`, 'goalkeeper-role': 'viewer' },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'no', when: { everySeconds: 60 }, start: startOf('ask: no') }),
    });
    expect(answer.status).toBe(403);
  });
});

describe('a heartbeat', () => {
  const standing = async () => {
    const goal = await world.start({
      ...{ objective: 'stand: by', workspace: { path: await world.workspace({}) } },
      policy: { continuation: { delayMaxSeconds: 300 } },
    });
    return await world.until(goal.goalId, ({ activity }) => activity.on === 'timer');
  };

  test('SCHED-9 wakes a goal that waits, in the words of the schedule, and is nobody’s word', async () => {
    const { goalId, usage, chain } = await standing();
    const schedule = await make({ wake: { goalId, text: 'Look at the inbox.' } });
    await backdate(schedule, 1);
    expect(await untilRuns(schedule, isSettled)).toMatchObject([{ state: 'woken', goalId }]);
    const woken = await world.until(
      goalId,
      (now) => now.activity.on === 'timer' && now.usage.turns > usage.turns,
    );
    expect(woken.chain?.startedAt).toBe(chain?.startedAt);
    const [said] = await world.database`
      SELECT voice, content FROM message WHERE goal_id = ${goalId} AND voice = 'agent' LIMIT 1`;
    expect(JSON.stringify(said?.content)).toContain(`${schedule.name}: Look at the inbox.`);
    await complete(goalId);
    await change(schedule, 'run');
    await untilRuns(schedule, (runs) => runs.length === 2 && isSettled(runs));
    const over = await get(schedule);
    expect(over.runs[0]?.reason).toContain('is over');
    expect(over.paused?.reason).toBe('goal_over');
  });

  test('SCHED-9 leaves a goal alone that a person paused', { tags: 'campaign' }, async () => {
    const { goalId } = await standing();
    const schedule = await make({ wake: { goalId, text: 'Wake up.' } });
    await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'skipped', reason: expect.stringContaining('paused') });
    expect((await world.get(goalId)).pause?.reason).toBe('person');
    await complete(goalId);
  });
});

/** The tests' own Temporal runs no schedules; `npm run chaos:schedules` has one that does. */
describe('what Temporal may say', () => {
  const temporal = () => createTemporalClient(world.temporal, world.keys);

  test('SCHED-10 an alarm that nobody ordered finds nothing to do', async () => {
    const client = temporal();
    const schedule = await make();
    const ring = (workflowId: string) =>
      client.workflow.execute('scheduleAlarmWorkflow', {
        workflowId,
        taskQueue: world.queues.goals,
      });
    await ring(`schedule:${schedule.scheduleId}-2026-01-01T00:00:00Z`);
    expect((await get(schedule)).runs).toEqual([]);
    await expect(ring('schedule:sc-0123456789abcdef-x')).rejects.toThrow();
    await expect(ring('something-else')).rejects.toThrow();
    await client.connection.close();
  });
});

describe('what people decide about it', () => {
  test('SCHED-11 is paused, resumed without making up, run and deleted, and each stands in the security log', async () => {
    const schedule = await make();
    await change(schedule, 'pause');
    await backdate(schedule, 3);
    const resumed = await change(schedule, 'resume');
    expect(resumed.runs).toEqual([]);
    expect(Date.parse(resumed.nextDueAt ?? '')).toBeGreaterThan(Date.now());
    await change(schedule, 'run');
    await untilRuns(schedule, isSettled);
    await world.client.send('DELETE', `/v1/schedules/${schedule.scheduleId}`, {});
    await expect(change(schedule, 'resume')).rejects.toMatchObject(refusal('not_found'));
    const { items } = await world.client.get<{ items: Schedule[] }>('/v1/schedules');
    expect(items.some(({ scheduleId }) => scheduleId === schedule.scheduleId)).toBe(false);
    expect((await get(schedule)).deletedAt).toBeDefined();
    expect((await logOf(schedule)).map(({ what }) => what)).toEqual([
      ...['schedule_made', 'schedule_paused', 'schedule_resumed', 'schedule_run'],
      'schedule_deleted',
    ]);
    expect(await world.client.get('/v1/security-log/verify')).toMatchObject({ holds: true });
  });

  test('SCHED-12 is sealed: what the database was changed to begins nothing, and is told', async () => {
    const schedule = await make();
    await world.database`
      UPDATE schedule SET action = jsonb_set(action, '{start,objective}', '"ask: evil"')
      WHERE schedule_id = ${schedule.scheduleId}`;
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'refused', reason: expect.stringContaining('not what') });
    await expect(change(schedule, 'run')).rejects.toMatchObject(refusal('invalid_transition'));
    expect((await logOf(schedule)).map(({ what, result }) => `${what} ${result}`)).toContain(
      'schedule_refused refused',
    );
    await change(schedule, 'pause');
    await expect(change(schedule, 'resume')).rejects.toMatchObject(refusal('invalid_transition'));
  });

  test('ROW-120 one that was deleted begins nothing by its former row and seal, and is told', {
    tags: 'campaign',
  }, async () => {
    const schedule = await make();
    const [former] = await world.database`
      SELECT seal, next_due_at FROM schedule WHERE schedule_id = ${schedule.scheduleId}`;
    await world.client.send('DELETE', `/v1/schedules/${schedule.scheduleId}`, {});
    await world.database`
      UPDATE schedule SET deleted_at = NULL, deleted_by = NULL, seal = ${former?.seal},
        next_due_at = ${former?.next_due_at} WHERE schedule_id = ${schedule.scheduleId}`;
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'refused', reason: expect.stringContaining('not what') });
    expect((await logOf(schedule)).map(({ what, result }) => `${what} ${result}`)).toContain(
      'schedule_refused refused',
    );
  });

  test('ROW-101 a due time that somebody added to the database starts nothing, and is told', async () => {
    const schedule = await make();
    await world.database`
      INSERT INTO schedule_run (schedule_id, due_at, state)
      VALUES (${schedule.scheduleId}, now(), 'due')`;
    const [run] = await untilRuns(schedule, isSettled);
    expect(run).toMatchObject({ state: 'refused' });
    expect(run?.goalId).toBeUndefined();
  });

  test('SCHED-16 what people change holds from then on, keeps its runs, and is whoever changed it', {
    tags: 'campaign',
  }, async () => {
    const client = await token('operator', 'clock-changer');
    const schedule = await make({ overlap: 'skip' });
    await backdate(schedule, 1);
    const [run] = await untilRuns(schedule, isSettled);
    const { revision } = await get(schedule);
    const address = `/v1/schedules/${schedule.scheduleId}`;
    const asked = { expectedRevision: revision, when: { everySeconds: 7200 }, name: 'changed' };
    const changed = await client.send<Schedule>('PATCH', address, asked);
    expect(changed).toMatchObject({
      ...{ name: 'changed', when: { everySeconds: 7200 }, owner: 'clock-changer' },
      ...{ role: 'operator', start: schedule.start, overlap: 'skip' },
    });
    expect(changed.runs.map(({ goalId }) => goalId)).toEqual([run?.goalId]);
    expect(Date.parse(changed.nextDueAt ?? '') - Date.parse(schedule.createdAt)).toBe(7_200_000);
    await expect(change(schedule, 'run', client)).rejects.toMatchObject(
      refusal('invalid_transition'),
    );
    await expect(client.send('PATCH', address, asked)).rejects.toMatchObject(
      refusal('goal_conflict'),
    );
    await complete(run?.goalId);
    await change(schedule, 'run', client);
    const runs = await untilRuns(schedule, (all) => all.length === 2 && isSettled(all));
    const [row] = await world.database`
      SELECT created_by FROM goal WHERE goal_id = ${runs[0]?.goalId ?? ''}`;
    expect(row?.created_by).toBe('clock-changer');
    expect((await logOf(schedule)).map(({ what }) => what)).toContain('schedule_changed');
  });

  test('SCHED-16 what came due before a change is decided by what was said then', async () => {
    const schedule = await make({ catchUp: 'all', overlap: 'allow' });
    const address = `/v1/schedules/${schedule.scheduleId}`;
    await backdate(schedule, 2);
    await world.client.send('PATCH', address, { when: { everySeconds: 86_400 } });
    const runs = await untilRuns(schedule, isSettled);
    expect(statesOf(runs)).toEqual(['started', 'started']);
  });

  test.each([
    ['a bad cron text', { when: { cron: '61 * * * *' } }, 'when.cron'],
    ['start and wake', { start: { objective: 'x' }, wake: { goalId: 'g-1', text: 'x' } }, 'start'],
    ['a goal that is gone', { wake: { goalId: 'g-0000000000000000', text: 'x' } }, 'wake.goalId'],
    [
      'no workspace',
      { start: { objective: 'x', workspace: { name: 'no' } } },
      'start.workspace.name',
    ],
  ] as const)(
    'SCHED-16 a change by %s is refused at its field, and changes nothing',
    async (_, asked, field) => {
      const schedule = await make();
      const address = `/v1/schedules/${schedule.scheduleId}`;
      await expect(world.client.send('PATCH', address, asked)).rejects.toMatchObject({
        problem: { field },
      });
      expect(await get(schedule)).toEqual(schedule);
      const agent = createClient({ url: world.url, token: TOKENS.agent });
      await expect(agent.send('PATCH', address, { overlap: 'allow' })).rejects.toThrow();
    },
  );

  test('SCHED-16 a webhook that is sent back as it is shown keeps its whole address', async () => {
    const url = 'https://example.com/hook?key=hidden';
    const start = {
      ...startOf('ask: tell'),
      notify: [{ url, secretEnv: 'GOALKEEPER_NOTIFY_SECRET' }],
    };
    const made = await make({ start });
    const shown = made.start as NonNullable<Schedule['start']>;
    expect(shown.notify?.[0]?.url).toBe('https://example.com/hook?…');
    const asked = { start: { ...shown, objective: 'ask: tell it' } };
    await world.client.send('PATCH', `/v1/schedules/${made.scheduleId}`, asked);
    const [row] = await world.database<{ url: string; objective: string }[]>`
      SELECT action->'start'->'notify'->0->>'url' AS url, action->'start'->>'objective' AS objective
      FROM schedule WHERE schedule_id = ${made.scheduleId}`;
    expect(row).toEqual({ url, objective: 'ask: tell it' });
  });

  test('SCHED-17 the next due times are told before anything is made', async () => {
    const tell = (body: object) =>
      world.client.send<{ items: string[] }>('POST', '/v1/schedules/due-times', body);
    const weekly = await tell({ when: { cron: '30 6 * * 1', timeZone: 'Europe/Berlin' } });
    expect(weekly.items).toHaveLength(5);
    const [first = '', second = ''] = weekly.items;
    expect(new Date(first).getUTCDay()).toBe(1);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThan(6.9 * 86_400_000);
    const madeAt = '2026-01-01T00:00:10.000Z';
    const { items } = await tell({ when: { everySeconds: 60 }, madeAt, count: 2 });
    expect(items.map((at) => at.slice(16))).toEqual([':10.000Z', ':10.000Z']);
    await expect(tell({ when: { cron: '0 0 31 2 *' } })).rejects.toMatchObject({
      problem: { field: 'when.cron' },
    });
  });

  test('SCHED-13 the same Idempotency-Key makes one schedule', async () => {
    const send = () =>
      fetch(`${world.url}/v1/schedules`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${TOKENS.admin}`, 'content-type': 'application/json' },
          'idempotency-key': 'once-and-for-all',
        },
        body: JSON.stringify({
          ...{ name: 'only one', when: { everySeconds: 60 }, start: startOf('ask: one') },
        }),
      });
    const [first, second] = await Promise.all([send(), send()]);
    const [one, two] = [await first.json(), await second.json()] as [Schedule, Schedule];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(two.scheduleId).toBe(one.scheduleId);
    await expect(make({ name: 'only one' })).rejects.toMatchObject({
      problem: { code: 'name_taken', field: 'name' },
    });
    await world.client.send('DELETE', `/v1/schedules/${one.scheduleId}`, {});
    await make({ name: 'only one' });
  });
});

test.each([
  ['a bad cron text', { when: { cron: '61 * * * *' } }, 'when.cron'],
  ['a day that never comes', { when: { cron: '0 0 31 2 *' } }, 'when.cron'],
  ['an unknown time zone', { when: { cron: '0 6 * * *', timeZone: 'Mars/Base' } }, 'when.timeZone'],
  ['an interval below a minute', { when: { everySeconds: 59 } }, 'when.everySeconds'],
  ['two cadences', { when: { cron: '0 6 * * *', everySeconds: 60 } }, 'when'],
  ['no cadence', { when: {} }, 'when'],
  ['nothing to do', { start: undefined }, 'start'],
  [
    'a workspace that is not served',
    { start: { objective: 'x', workspace: { name: 'nowhere' } } },
    'start.workspace.name',
  ],
  [
    'an upload, which is good for a day',
    { start: { objective: 'x', attachments: ['at-0123456789abcdef'] } },
    'start.attachments',
  ],
  ['a field of one start alone', { start: { objective: 'x', replace: true } }, 'start.replace'],
  [
    'a secret',
    {
      start: {
        ...{ objective: 'x' },
        notify: [{ url: 'https://example.com', secret: 'x'.repeat(20) }],
      },
    },
    'start.notify.0.secret',
  ],
  ['a goal that is gone', { wake: { goalId: 'g-0000000000000000', text: 'hi' } }, 'wake.goalId'],
  ['an unknown policy', { overlap: 'buffer' }, 'overlap'],
  ['a strange name', { name: '\u202egnp' }, 'name'],
] as const)(
  'SCHED-3 %s is refused, its field is named, and nothing is kept',
  async (_, more, field) => {
    const before = await world.database`SELECT 1 FROM schedule`;
    const error = await make({ ...more }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ problem: { field } });
    expect((await world.database`SELECT 1 FROM schedule`).count).toBe(before.count);
  },
);
