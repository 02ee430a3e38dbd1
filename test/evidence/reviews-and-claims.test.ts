import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatRequest, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const write = (content: string) => reply.call('write_file', { path: 'answer.txt', content });
const claim = (command?: string) =>
  reply.call('attempt_completion', {
    result: 'Done.',
    ...(command === undefined ? {} : { command }),
  });
const verdict = (name: 'pass' | 'fail', ...findings: string[]) =>
  reply.text(JSON.stringify({ verdict: name, findings }));

/** A request without tools is one to the reviewer. */
const reviewed = (work: Script, review: (request: ChatRequest) => ReturnType<Script>): Script => {
  return (request) => (request.tools.length === 0 ? review(request) : work(request));
};
const said = ({ messages }: ChatRequest) => messages.map(({ text }) => text).join('\n');

/** When the reviewer that is busy was asked. */
const askedAt: number[] = [];
const inSixSeconds = { 'retry-after': '6' };

const scripts: Record<string, Script> = {
  reviewed: reviewed(sequence([write('41\n'), claim(), write('42\n'), claim()]), (request) =>
    /^\+41$/m.test(said(request)) ? verdict('fail', 'answer.txt says 41') : verdict('pass'),
  ),
  praised: reviewed(sequence([write('42\n'), claim()]), () => reply.text('Looks great, ship it!')),
  busy: reviewed(sequence([write('42\n'), claim()]), () => {
    askedAt.push(Date.now());
    return askedAt.length > 1 ? verdict('pass') : reply.error(429, undefined, inSixSeconds);
  }),
  cites: sequence([write('42\n'), claim('grep -q 43 answer.txt'), claim('grep -q 42 answer.txt')]),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

const review: Criterion = { kind: 'review', rubric: 'The answer has to be 42.' };
const written: Criterion = { kind: 'file', path: 'answer.txt', matches: '^4' };

async function end(name: string, criteria: readonly Criterion[]) {
  const path = await world.workspace({});
  const started = await world.start({
    objective: `${name}: go`,
    workspace: { path },
    criteria: [...criteria],
  });
  const goal = await world.until(started.goalId, ({ status }) => status !== 'active');
  const { items } = await world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goal.goalId}/ledger?limit=100`,
  );
  const rows = items.filter(({ phase }) => phase === 'settled');
  return { goal, rows };
}

describe('a second model', () => {
  test('reads the change in a fresh context, refuses, and passes what was put right', async () => {
    const { goal, rows } = await end('reviewed', [review, written]);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const reviews = rows.filter(({ tool }) => tool === 'check.review');
    expect(reviews.map(({ receipt }) => receipt?.reason)).toEqual(
      expect.arrayContaining([
        'the reviewer says: answer.txt says 41',
        'the reviewer found nothing wrong',
      ]),
    );
    const asked = world.model.requests.filter(({ tools }) => tools.length === 0);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(said(asked[0] as ChatRequest)).toContain('The answer has to be 42.');
    const worked = world.model.requests.filter(({ tools }) => tools.length > 0);
    expect(worked.some((request) => said(request).includes('"verdict"'))).toBe(false);
  });

  test('is paid by the goal, each call once', async () => {
    const { goal } = await end('reviewed', [review, written]);
    const [steps] = await world.database<{ calls: number; reviews: number; tokens: number }[]>`
      SELECT count(*)::int AS calls, count(*) FILTER (WHERE kind = 'review')::int AS reviews,
        sum(input_tokens - cached_input_tokens + output_tokens)::int AS tokens
      FROM step WHERE goal_id = ${goal.goalId} AND state = 'committed'`;
    expect(steps).toMatchObject({ calls: 6, reviews: 2, tokens: goal.usage.tokens });
  });

  test('M25 is asked again when its provider said so, and costs no refusal of the claim', {
    tags: 'campaign',
  }, async () => {
    const { goal, rows } = await end('busy', [review, written]);
    expect(goal.status).toBe('complete');
    expect(rows.filter(({ tool }) => tool === 'check.review')).toHaveLength(2);
    const [first = 0, second = 0] = askedAt;
    // A timer may end within its last millisecond.
    expect(second - first).toBeGreaterThanOrEqual(5999);
  });

  test('is never enough alone', async () => {
    const { goal } = await end('reviewed', [review]);
    expect(goal.pause?.reason).toBe('unverified_claim');
    expect(goal.criteria[0]?.state).toBe('met');
  });

  test('without a verdict in its answer the criterion is unmet, with the reason', async () => {
    const { goal } = await end('praised', [review, written]);
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(goal.criteria[0]?.reason).toMatch(/gave no verdict/);
  });
});

describe('the command that a claim names', () => {
  test('C18 is run by the host, becomes a receipt and can refuse the claim', async () => {
    const { goal, rows } = await end('cites', [written]);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const runs = rows.filter(({ receipt }) => receipt?.criterionId === 'claim');
    expect(runs.map(({ receipt }) => receipt?.exitCode).sort()).toEqual([0, 1]);
  });

  test('C18 C19 proves nothing by itself', async () => {
    const { goal } = await end('cites', []);
    expect(goal.pause?.reason).toBe('unverified_claim');
  });
});
