import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Dispute } from '../../schema/dispute.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

/** The test wants 3 where the objective says 42: it can't be met honestly. */
const files = {
  'answer.txt': '41\n',
  'test/check.sh': 'grep -qx 3 answer.txt\n',
  Makefile: 'test:\n\tsh test/check.sh\n',
};
const criteria = [{ kind: 'command', command: 'make test' }];
const proven = { criteria, scope: { change: ['answer.txt'] }, policy: { proof: 'scope' } };

const example = { command: 'grep -x 3 test/check.sh', expect: { exit: 1 } };
const contradicts = { command: 'cat test/check.sh', expect: { exit: 0, contains: '-qx 3' } };
const dispute = (
  counterExample: object = contradicts,
  criterionId = 'c1',
  kind = 'contradiction',
) =>
  reply.call('dispute_criterion', {
    criterionId,
    kind,
    counterExample,
    explanation: 'The objective asks for 42, the check for 3.',
  });
const say = reply.text('I look at it.');

const scripts: Record<string, Script> = {
  disputes: sequence([dispute(), say, say, say]),
  again: sequence([
    dispute(),
    dispute(),
    dispute({ ...contradicts, command: 'cat  test/check.sh # 2' }),
    dispute(example),
    say,
  ]),
  wrong: sequence([
    dispute({ command: 'cat test/check.sh', expect: { contains: 'forty-two' } }),
    dispute(),
  ]),
  prints: sequence([
    dispute({ command: 'echo impossible', expect: { contains: 'impossible' } }),
    say,
  ]),
  nobody: sequence([dispute(contradicts, 'c9'), say]),
  asks: sequence([dispute(), say]),
  machine: sequence([
    dispute({ command: 'node -p "1 + 1"', expect: { contains: '2' } }),
    dispute({ command: 'ls /nowhere', expect: { exit: 2 } }, 'c1', 'missing_access'),
  ]),
  bends: sequence([
    write('answer.txt', 'it is impossible\n'),
    dispute({ command: 'cat answer.txt', expect: { contains: 'impossible' } }),
    say,
  ]),
  beyond: sequence([
    write('test/check.sh', 'echo impossible\n'),
    dispute({ command: 'sh test/check.sh', expect: { contains: 'impossible' } }),
    say,
  ]),
  lifted: sequence([dispute(), write('answer.txt', '42\n'), claim()]),
  blocked: sequence([reply.call('report_blocker', { kind: 'authority', blocker: 'No key.' })]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const disputesOf = async (goalId: string) =>
  (await the.world.client.get<{ items: Dispute[] }>(`/v1/goals/${goalId}/disputes`)).items;

async function disputed(name: string, goal: object = proven) {
  const { goalId } = await the.open(name, goal, files);
  const paused = await the.world.until(goalId, ({ status }) => status === 'paused');
  const [open] = await disputesOf(goalId);
  return { goalId, paused, open };
}

const decide = (goalId: string, open: Dispute | undefined, decision: string, note?: string) =>
  the.send(goalId, `disputes/${open?.disputeId}`, { decision, ...(note && { note }) });

describe('a model that disputes a criterion', () => {
  test('DIS-1 pauses for a person with the runs of its counter-example on the record', async () => {
    const { goalId, paused, open } = await disputed('disputes');
    expect(paused.pause).toMatchObject({ reason: 'disputed', disputeId: open?.disputeId });
    expect(paused.activity).toMatchObject({ state: 'idle', actor: 'You' });
    expect(open).toMatchObject({
      criterionId: 'c1',
      kind: 'contradiction',
      state: 'open',
      place: 'proof',
      showsOnOriginal: true,
    });
    expect(open?.runs).toMatchObject([
      { tree: 'work', exit: 0, shows: true },
      { tree: 'empty', shows: false },
    ]);
    const rows = await the.world.database<{ tool: string }[]>`
      SELECT tool FROM ledger WHERE goal_id = ${goalId} AND seq = ${open?.runs[0]?.receipt ?? 0}`;
    expect(rows).toEqual([{ tool: 'check.dispute' }]);
  });

  test('DIS-2 goes on when a person insists, and is told; the same counter-example is not taken again', async () => {
    const { goalId, open } = await disputed('again');
    await decide(goalId, open, 'insist', 'The check is right.');
    const goal = await the.world.until(
      goalId,
      ({ pause }) => pause?.disputeId !== undefined && pause.disputeId !== open?.disputeId,
    );
    expect(goal.pause?.reason).toBe('disputed');
    expect(the.wasTold(goalId, 'insists on it as it is: meet it')).toBe(true);
    expect(the.wasTold(goalId, 'The check is right.')).toBe(true);
    expect(the.wasTold(goalId, 'only with a new one')).toBe(true);
    const disputes = await disputesOf(goalId);
    expect(disputes.map(({ state }) => state)).toEqual(['insisted', 'open']);
    expect(disputes[1]?.counterExample).toEqual(example);
  });

  test('DIS-3 is over and never complete when a person ends it as infeasible', async () => {
    const { goalId, open } = await disputed('disputes');
    const goal = await decide(goalId, open, 'infeasible');
    expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'infeasible' } });
    expect(goal.archivedAt).toBeDefined();
    expect(goal.completion).toBeUndefined();
    expect((await disputesOf(goalId)).map(({ state }) => state)).toEqual(['infeasible']);
    expect(await problemOf(the.send(goalId, 'resume'))).toMatchObject({
      code: 'invalid_transition',
    });
    expect(await problemOf(decide(goalId, open, 'insist'))).toMatchObject({
      code: 'invalid_transition',
    });
  });

  test('DIS-4 goes on by the criteria that a person amended', async () => {
    const { goalId } = await disputed('lifted');
    const amended = { criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }] };
    await the.world.client.send('PATCH', `/v1/goals/${goalId}`, amended);
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect((await disputesOf(goalId)).map(({ state }) => state)).toEqual(['amended']);
    expect(the.wasTold(goalId, 'amended the criteria because you disputed c1')).toBe(true);
  });

  test('DIS-5 is refused with the output where the counter-example does not show it, and can mend it', async () => {
    const { goalId, open } = await disputed('wrong');
    expect(the.wasTold(goalId, 'does not show it')).toBe(true);
    expect(the.wasTold(goalId, 'grep -qx 3 answer.txt')).toBe(true);
    expect(open).toMatchObject({ counterExample: contradicts });
    expect(await disputesOf(goalId)).toHaveLength(1);
  });

  test.each([
    ['prints', 'it only prints', proven],
    ['nobody', 'there is no criterion c9', proven],
    ['asks', "a person's own decision", { criteria: [{ kind: 'approval', question: 'Fine?' }] }],
    ['beyond', 'does not show it', proven],
  ])('DIS-6 %s: is refused', async (name, why, goal) => {
    const { goalId, paused } = await disputed(name, goal);
    expect(paused.pause?.reason).not.toBe('disputed');
    expect(the.wasTold(goalId, why)).toBe(true);
    expect(await disputesOf(goalId)).toEqual([]);
  });

  test('DIS-7 says so where only its own change makes the counter-example show', async () => {
    const { open } = await disputed('bends');
    expect(open).toMatchObject({ showsOnOriginal: false });
    expect(open?.runs).toMatchObject([
      { tree: 'work', shows: true },
      { tree: 'original', shows: false },
      { tree: 'empty', shows: false },
    ]);
  });

  test('DIS-8 is left open to nobody once the goal goes on in another way', async () => {
    const { goalId, open } = await disputed('disputes');
    await the.send(goalId, 'resume');
    await the.world.until(
      goalId,
      ({ pause }) => pause !== undefined && pause.disputeId === undefined,
    );
    expect((await disputesOf(goalId)).map(({ state }) => state)).toEqual(['superseded']);
    expect(await problemOf(decide(goalId, open, 'insist'))).toMatchObject({
      code: 'already_answered',
    });
  });

  test('DIS-9 runs its counter-example in a checkout where no original was kept', async () => {
    const { open } = await disputed('disputes', { criteria, policy: { proof: 'workspace' } });
    expect(open).toMatchObject({ place: 'clean', showsOnOriginal: null, showsOnNothing: false });
  });

  test('DIS-14 is refused where its counter-example shows in an empty folder, but for missing access', async () => {
    const { goalId, open } = await disputed('machine');
    expect(the.wasTold(goalId, 'the same in an empty folder')).toBe(true);
    expect(open).toMatchObject({ kind: 'missing_access', showsOnNothing: true });
  });

  test('DIS-11 runs nothing that the rules for commands forbid', async () => {
    const tools = [{ tool: 'run_command', command: 'cat', decision: 'deny' }];
    const { goalId } = await disputed('disputes', {
      ...proven,
      policy: { proof: 'scope', tools },
    });
    expect(await disputesOf(goalId)).toEqual([]);
    expect(the.wasTold(goalId, 'the policy forbids it')).toBe(true);
  });
});

test('DIS-10 a blocker has a kind, which is told wherever its reason is', async () => {
  const { paused } = await disputed('blocked');
  expect(paused.pause).toMatchObject({ reason: 'blocked', blocker: 'authority' });
  expect(paused.activity.reason).toBe('reports a blocker: needs a right or a decision');
});
