import { describe, expect, test } from 'vitest';
import type { ApprovalKind } from '../../../schema/approval.ts';
import { describeApproval, noticeOf } from '../../../src/record/approvals/approval-text.ts';

const data = {
  content: 'Ask Ada',
  result: 'She agrees',
  summary: 'a call',
  question: 'Good?',
  describes: '`make`, expects exit 0',
  detail: 'run_command deploy',
  rule: 'goal rule 1',
  changes: { 'a.test.js': 'h1', 'b.test.js': null },
};

describe('a person reads what they decide', () => {
  test.each<[ApprovalKind, string]>([
    ['completion', 'The goal claims to be done, and no check of the host proves it. Is it done?'],
    [
      'basis',
      "The proof needs changes beyond the goal's scope: a.test.js, b.test.js. Do they belong to the work?",
    ],
    ['manual', 'Is "Ask Ada" done? The model says: She agrees (a call)'],
    ['approval', 'Good?'],
    [
      'criterion',
      'The model proposes to be judged by this as well: `make`, expects exit 0. Add it?',
    ],
    ['unknown_effect', 'Nobody saw how a call ended: run_command deploy. May the goal go on?'],
    ['tool', 'May this call run: run_command deploy? Asked by: goal rule 1'],
  ])('%s', (kind, question) => {
    const words = describeApproval(kind, data);
    expect(words.question).toBe(question);
    expect(words.onApprove).not.toBe(words.onDeny);
  });

  test('where a stored approval lacks what it is about, there is nothing in its place', () => {
    const { question } = describeApproval('manual', { content: 5 });
    expect(question).toBe('Is "" done? The model says:  ()');
    expect(describeApproval('basis', {}).question).toContain('scope: . Do');
    expect(describeApproval('basis', { changes: ['a'] }).question).toContain('scope: a. Do');
  });
});

describe('the model is told', () => {
  test.each<[ApprovalKind, RegExp | null, RegExp | null]>([
    ['completion', null, /claim to be done was looked at and not accepted/],
    ['basis', null, /a\.test\.js, b\.test\.js\. Undo them/],
    ['manual', null, /did not accept "Ask Ada" as done/],
    ['approval', null, /answered "Good\?" with no/],
    ['criterion', /accepted the criterion .*`make`/, /declined the criterion .*`make`/],
    ['unknown_effect', /acknowledged the call/, /does not want you to rely/],
    ['tool', null, null],
  ])('of %s, where neither its end nor the gate tells it', (kind, approved, denied) => {
    const told = (decision: 'approve' | 'deny') => noticeOf(kind, decision, data) ?? '';
    expect(told('approve')).toMatch(approved ?? /^$/);
    expect(told('deny')).toMatch(denied ?? /^$/);
  });
});
