import { describe, expect, test } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import type { Client } from '../../src/cli/client.ts';
import { plain } from '../../src/cli/terminal.ts';
import { screenActs } from '../../src/cli/watch/screen-acts.ts';
import { GOAL_ID, goalThat, toldClient } from './told-goal.ts';

function actsOn(change: { approval?: Approval; command?: string } = {}) {
  const sent: [string, object][] = [];
  const did: string[] = [];
  const client: Client = {
    ...toldClient([], [goalThat({})]).client,
    send: async <Answer>(_method: string, path: string, body: object) => {
      sent.push([path.replace(`/v1/goals/${GOAL_ID}`, ''), body]);
      return {} as Answer;
    },
  };
  const acts = screenActs({
    ...{ client, goalId: GOAL_ID, paint: plain, output: () => ['one', 'two'] },
    approval: () => change.approval ?? null,
    command: () => change.command ?? null,
    stay: (lines) => void did.push(...lines),
    say: (text) => void did.push(text),
    leave: () => void did.push('left'),
    suspend: () => void did.push('stopped'),
  });
  const type = (text: string) => {
    for (const key of text) acts.press(key);
  };
  return { acts, type, sent, did };
}

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

  test('TERM-7 a decision is taken only while one waits, once or declined with a reason', () => {
    const none = actsOn();
    none.type('y');
    expect(none.sent).toEqual([]);
    const { acts, type, sent } = actsOn({ approval });
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
    const none = actsOn({ approval });
    none.type('w');
    expect([none.sent, none.acts.line()]).toEqual([[], null]);
    const always = { workspace: 'shop', says: 'run_command "npm test"' };
    const { acts, type, sent } = actsOn({ approval: { ...approval, always } });
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
});
