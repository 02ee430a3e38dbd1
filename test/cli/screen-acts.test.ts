import { describe, expect, test } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { Goal } from '../../schema/goal.ts';
import type { SentMessage } from '../../schema/sent-message.ts';
import type { Client } from '../../src/cli/client.ts';
import type { Waiting } from '../../src/cli/decide/waiting.ts';
import { plain } from '../../src/cli/terminal.ts';
import { screenActs } from '../../src/cli/watch/screen-acts.ts';
import { GOAL_ID, goalThat, toldClient } from './told-goal.ts';

function actsOn(change: { waiting?: Waiting; command?: string; said?: object[] } = {}) {
  const sent: [string, object][] = [];
  const did: string[] = [];
  const client: Client = {
    ...toldClient([], [goalThat({})]).client,
    async get<Answer>(path: string) {
      const answer = path.endsWith('/messages') ? { items: change.said ?? [] } : { name: 'anna' };
      return answer as Answer;
    },
    send: async <Answer>(method: string, path: string, body: object) => {
      const place = path.replace(`/v1/goals/${GOAL_ID}`, '');
      sent.push([method === 'POST' ? place : `${method} ${place}`, body]);
      return {} as Answer;
    },
  };
  const acts = screenActs({
    ...{ client, goalId: GOAL_ID, paint: plain, output: () => ['one', 'two'] },
    waiting: () => change.waiting ?? null,
    command: () => change.command ?? null,
    stay: (lines) => void did.push(...lines),
    say: (text) => void did.push(text),
    leave: () => void did.push('left'),
    suspend: () => void did.push('stopped'),
    wrapped: (text) => [text],
    lend: (program) => program(),
  });
  const type = (text: string) => {
    for (const key of text) acts.press(key);
  };
  return { acts, type, sent, did };
}

const saidOf = (messageId: string, change: Partial<SentMessage> = {}) => ({
  ...{ messageId, text: `Say ${messageId}`, state: 'waiting', sentBy: 'anna', ...change },
});

const approval = { approvalId: 'a-1', always: null } as Approval;

describe('keys beside a goal at work', () => {
  test('TERM-6 a message is typed at the foot, and keys in it do nothing else; Esc leaves it', () => {
    const { acts, type, sent } = actsOn();
    type('mp.');
    expect(acts.line()).toBe('message to the agent: p._');
    acts.press('\u007f');
    acts.press('\r');
    expect(sent).toEqual([['/messages', { text: 'p', delivery: 'steer' }]]);
    expect(acts.line()).toBeNull();
    type('mnever');
    acts.press('\u001b');
    expect([acts.line(), sent.length]).toEqual([null, 1]);
  });

  test('TERM-100 the newest message of this person that waits is taken back by a key, which the foot shows once something was said', async () => {
    const said = [
      saidOf('m-4', { sentBy: 'ben' }),
      saidOf('m-3'),
      saidOf('m-2', { state: 'read' }),
      saidOf('m-1'),
    ];
    const { acts, type, sent, did } = actsOn({ said });
    const shows = () => acts.keys().some(({ does }) => does === 'take back');
    expect(shows()).toBe(false);
    type('mNo.');
    acts.press('\r');
    expect(shows()).toBe(true);
    type('u');
    await expect.poll(() => did).toContain('taken back: Say m-3');
    expect(sent.at(-1)).toEqual(['/messages/m-3/take-back', {}]);
    expect(shows()).toBe(false);
    const none = actsOn({ said: [saidOf('m-4', { sentBy: 'ben' })] });
    none.type('u');
    await expect.poll(() => none.did.join()).toContain('No message of yours waits.');
    expect([none.sent, none.did.join().includes(`goalkeeper take-back ${GOAL_ID}`)]).toEqual([
      [],
      true,
    ]);
  });

  test('TERM-7 a decision is taken only while one waits, once or declined with a reason', () => {
    const none = actsOn();
    none.type('y');
    expect(none.sent).toEqual([]);
    const { acts, type, sent } = actsOn({ waiting: { kind: 'approval', approval } });
    expect(acts.keys().map(({ key }) => key)).toEqual(['y', 'd', 'v', 'm', 'p', '?']);
    type('y');
    type('dNo.');
    acts.press('\r');
    expect(sent).toEqual([
      ['/approvals/a-1', { decision: 'approve' }],
      ['/approvals/a-1', { decision: 'deny', note: 'No.' }],
    ]);
  });

  test('TERM-40 a rule for good is stored by a second key, and only where there is one', () => {
    const none = actsOn({ waiting: { kind: 'approval', approval } });
    none.type('w');
    expect([none.sent, none.acts.line()]).toEqual([[], null]);
    const always = { workspace: 'shop', says: 'run_command "npm test"' };
    const { acts, type, sent } = actsOn({
      waiting: { kind: 'approval', approval: { ...approval, always } },
    });
    type('w');
    expect(acts.line()).toBe('Enter stores it: always in shop, as above: _');
    acts.press('\u001b');
    expect(sent).toEqual([]);
    type('w');
    acts.press('\r');
    expect(sent).toEqual([['/approvals/a-1', { decision: 'approve', always: true }]]);
  });

  test('TERM-8 the running command is stopped, the output printed, and Ctrl C leaves while typing', () => {
    const { acts, type, sent, did } = actsOn({ command: 't1.s1.1' });
    type('.o');
    expect(sent).toEqual([['/calls/t1.s1.1/stop', {}]]);
    expect(did.join()).toContain('one');
    type('m');
    acts.press('\u0003');
    expect(did.at(-1)).toBe('left');
  });

  const command = (criterionId: string, text: string) => ({
    ...{ criterionId, state: 'unmet', baseline: 'unmet', origin: 'caller', receipts: [] },
    spec: { kind: 'command', command: text, cwd: 'api' },
  });
  const criteria = [command('C2', 'npm test'), command('C3', 'make'), command('C4', 'bench')];
  const disputed: Waiting = {
    kind: 'dispute',
    goal: goalThat({ criteria: criteria as Goal['criteria'], revision: 7 }),
    dispute: {
      ...{ disputeId: 'd-1', criterionId: 'C4', explanation: 'It contradicts c2: see C22.' },
    } as Dispute,
  };

  test('TERM-53 a dispute is answered by number: either criterion amended, insisted on, or infeasible, each with its line', () => {
    const { acts, type, sent } = actsOn({ waiting: disputed });
    const shown = acts.keys().map(({ key, does }) => `${key} ${does}`);
    expect(shown.slice(0, 4)).toEqual([
      ...['1 amend C4…', '2 amend C2…', '3 insist…', '4 infeasible…'],
    ]);
    type('3');
    acts.press('\r');
    expect(sent).toEqual([]);
    type('3It is meant.\r');
    expect(sent).toEqual([['/disputes/d-1', { decision: 'insist', note: 'It is meant.' }]]);
  });

  test('TERM-54 an amended criterion keeps all else of it, the others stay, and a newer goal refuses it', () => {
    const { type, sent } = actsOn({ waiting: disputed });
    type('2npm run contract\r');
    const specs = criteria.map(({ spec }) => spec);
    const amended = [{ ...specs[0], command: 'npm run contract' }, specs[1], specs[2]];
    expect(sent).toEqual([['PATCH ', { criteria: amended, expectedRevision: 7 }]]);
  });

  test('TERM-53 a criterion without a command has no key of its own', () => {
    const review = { ...command('C4', ''), spec: { kind: 'review', rubric: 'Is it clean?' } };
    const goal = { ...disputed.goal, criteria: [review] as unknown as Goal['criteria'] };
    const { acts } = actsOn({ waiting: { ...disputed, goal } });
    expect(acts.keys()[0]).toMatchObject({ key: '1', does: 'insist…' });
  });
});
