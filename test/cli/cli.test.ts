import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { tokens } from '../api/memory-ports.ts';
import { start, startService } from './command-line.ts';

type Service = Awaited<ReturnType<typeof startService>>;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function settle(goalId: string, change: Partial<Goal>): void {
  const goal = service.memory.goals.get(goalId);
  if (goal === undefined) throw new Error(`no goal ${goalId}`);
  service.memory.goals.set(goalId, {
    ...goal,
    activity: { ...goal.activity, state: 'idle' },
    ...change,
  });
  append(goalId, 'goal.changed', { status: change.status ?? goal.status });
}

function append(goalId: string, type: string, data: object): void {
  const seq = service.memory.events.filter((event) => event.goalId === goalId).length + 1;
  service.memory.events.push({ goalId, seq, type, data, at: '2026-01-01T10:20:30.000Z' });
}

async function newGoal(): Promise<string> {
  const { out } = await service.goalkeeper('run', 'Fix it', '--workspace-name', 'shop', '--detach');
  return out.trim();
}

describe('goalkeeper run', () => {
  it.each([
    ['complete', 0],
    ['paused', 1],
    ['budget_limited', 2],
  ] as const)('tells by its exit code that the goal is %s', async (status, exitCode) => {
    const running = service.start('run', 'Fix it', '--workspace-name', 'shop');
    await running.untilErr('goal g-');
    const goalId = [...service.memory.goals.keys()].at(-1) ?? '';
    append(goalId, 'turn.opened', { turn: 1, kind: 'start' });
    await running.untilErr('1 turn   start');
    settle(goalId, { status });
    const ran = await running.done;
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.out).toContain(goalId);
    expect(ran.err).not.toContain('\u001b[');
  });

  it('sends criteria, budget, model and the real path of the workspace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-cli-'));
    const ran = await service.goalkeeper(
      'run',
      'Fix it',
      '--workspace',
      folder,
      '--criterion',
      'npm test',
      '--criterion',
      'npm run lint',
      '--budget-turns',
      '7',
      '--model',
      'openai/other',
      '--detach',
      '--json',
    );
    expect(ran.exitCode).toBe(0);
    const goal = JSON.parse(ran.out) as Goal;
    expect(goal.criteria.map(({ spec }) => spec)).toEqual([
      { kind: 'command', command: 'npm test' },
      { kind: 'command', command: 'npm run lint' },
    ]);
    expect(goal).toMatchObject({
      budget: { turns: 7 },
      model: 'openai/other',
      workspace: { name: 'by-path-123456' },
    });
  });

  it('leaves with 130 when it is interrupted, and the goal goes on', async () => {
    const running = service.start('run', 'Fix it', '--workspace-name', 'shop');
    await running.untilErr('goal g-');
    const goalId = [...service.memory.goals.keys()].at(-1) ?? '';
    append(goalId, 'turn.opened', { turn: 1, kind: 'start' });
    await running.untilErr('1 turn   start');
    running.interrupt();
    const ran = await running.done;
    expect(ran.exitCode).toBe(130);
    expect(ran.err).toContain(`goalkeeper watch ${goalId}`);
    expect(service.memory.goals.get(goalId)?.status).toBe('active');
  });
});

describe('goalkeeper on a goal', () => {
  it('takes a unique beginning of the id', async () => {
    const goalId = await newGoal();
    const ran = await service.goalkeeper('pause', goalId.slice(0, 9), '--json');
    expect([ran.exitCode, JSON.parse(ran.out).goalId]).toEqual([0, goalId]);
    expect(service.memory.mutations.at(-1)).toMatchObject({ kind: 'pause' });
  });

  it('prints the whole backlog of a goal that rests already', async () => {
    const goalId = await newGoal();
    for (let turn = 1; turn <= 250; turn += 1)
      append(goalId, 'turn.opened', { turn, kind: 'nudge' });
    settle(goalId, { status: 'complete' });
    const ran = await service.goalkeeper('watch', goalId, '--json');
    expect(ran.exitCode).toBe(0);
    const lines = ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1).map((event) => event.seq)).toEqual(
      Array.from({ length: 251 }, (_, i) => i + 1),
    );
    expect(lines.at(-1)).toMatchObject({ goalId, status: 'complete' });
  });

  it('amends only what was named', async () => {
    const goalId = await newGoal();
    const ran = await service.goalkeeper('amend', goalId, '--budget-turns', '200', '--json');
    expect(ran.exitCode).toBe(0);
    expect(service.memory.mutations.at(-1)).toMatchObject({
      kind: 'amend',
      budget: { turns: 200 },
      changesCriteria: false,
    });
    const nothing = await service.goalkeeper('amend', goalId);
    expect([nothing.exitCode, nothing.err]).toEqual([
      3,
      expect.stringContaining('at least one field'),
    ]);
  });

  it('does not clear without a confirmation', async () => {
    const goalId = await newGoal();
    const asked = await service.goalkeeper('clear', goalId);
    expect(asked).toMatchObject({ exitCode: 3, out: '' });
    expect(asked.err).toContain('--yes');
    expect((await service.goalkeeper('clear', goalId, '--yes')).exitCode).toBe(0);
    expect(service.memory.mutations.at(-1)).toMatchObject({ kind: 'clear' });
  });

  it.each([
    ['list'],
    ['show', 'GOAL'],
    ['show', 'GOAL', '--turns'],
    ['todos', 'GOAL'],
    ['gate', 'GOAL'],
    ['ledger', 'GOAL'],
    ['ledger', 'verify', 'GOAL'],
  ])('%s %s %s prints text, and one JSON value with --json', async (...words) => {
    const goalId = await newGoal();
    const args = words.map((word) => (word === 'GOAL' ? goalId : word));
    const text = await service.goalkeeper(...args);
    expect([text.exitCode, text.err]).toEqual([0, '']);
    const json = await service.goalkeeper(...args, '--json');
    expect(json.exitCode).toBe(0);
    expect(() => JSON.parse(json.out)).not.toThrow();
  });
});

describe('what goes wrong', () => {
  it('is told as what, field and way out', async () => {
    const ran = await service.goalkeeper(
      'run',
      'Fix it',
      '--workspace-name',
      'shop',
      '--criterion',
      'npm test || true',
    );
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/goalkeeper: .*proves nothing/);
    expect(ran.err).toContain('field:   criteria.0.command');
    expect(ran.err).toContain('way out: ');
  });

  it('is JSON with --json', async () => {
    const ran = await service.goalkeeper('show', 'g-none', '--json');
    expect(ran.exitCode).toBe(3);
    expect(JSON.parse(ran.out).error).toMatchObject({ code: 'not_found', status: 404 });
  });

  it.each([
    [['run'], {}],
    [['fly'], {}],
    [['list', '--limit', 'many'], {}],
    [['list'], {}],
    [['list'], { GOALKEEPER_URL: 'localhost:1' }],
    [['list'], { GOALKEEPER_URL: 'http://127.0.0.1:1' }],
    [['list'], { GOALKEEPER_URL: 'http://127.0.0.1:1', GOALKEEPER_TOKEN: 'x' }],
    [['doctor'], {}],
  ])('usage and configuration errors exit with 3: %o %o', async (args, environment) => {
    const ran = await start(args, environment as Record<string, string>).done;
    expect(ran.exitCode).toBe(3);
    expect(ran.out + ran.err).not.toContain('    at ');
  });

  it.each([
    [['up', '--workspace', 'shop'], {}, 'NAME=PATH'],
    [['up', '--workspace', 'shop=/nonexistent/shop'], {}, '/nonexistent/shop'],
    [['up'], { GOALKEEPER_PORT: 'many' }, 'GOALKEEPER_PORT'],
  ])('%o %o names what is wrong before anything starts', async (args, environment, named) => {
    const home = mkdtempSync(join(tmpdir(), 'goalkeeper-home-'));
    const ran = await start(args, { GOALKEEPER_HOME: home, ...environment }).done;
    expect([ran.exitCode, ran.out]).toEqual([3, '']);
    expect(ran.err).toContain(named);
  });

  it('says that a token is unknown', async () => {
    const ran = await start(['list'], { ...service.environment, GOALKEEPER_TOKEN: 'wrong' }).done;
    expect(ran).toMatchObject({ exitCode: 3 });
    expect(ran.err).toContain('GOALKEEPER_TOKEN');
  });
});

describe('finding the service', () => {
  it('reads address and token that the running service left in its home', async () => {
    const home = mkdtempSync(join(tmpdir(), 'goalkeeper-home-'));
    writeFileSync(
      join(home, 'run.json'),
      JSON.stringify({ apiUrl: service.environment.GOALKEEPER_URL }),
    );
    writeFileSync(join(home, 'token'), `${tokens.admin}\n`);
    expect((await start(['list'], { GOALKEEPER_HOME: home }).done).exitCode).toBe(0);
  });

  it('starts fast: help loads no command', async () => {
    const ran = await start(['--help']).done;
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain('goals, newest first');
  });
});
