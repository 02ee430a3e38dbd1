import { describe, expect, test } from 'vitest';
import type { ApprovalKind } from '../../../schema/approval.ts';
import { describeApproval, noticeOf } from '../../../src/record/approvals/approval-text.ts';
import { decisionMessages } from '../../../src/record/approvals/decision-messages.ts';

const data = {
  content: 'Ask Ada',
  question: 'Good?',
  subject: 'R2',
  text: 'It is fast',
  describes: ['R1: it is small', 'R2: it is fast'],
  changes: { 'a.test.js': 'h1', 'b.test.js': null },
  change: ['src/**'],
};

describe('the model hears of a decision', () => {
  test.each<[ApprovalKind, string | null, string | null]>([
    ['completion', null, 'Your claim to be done was looked at and not accepted.'],
    ['basis', null, 'A person did not accept changes beyond the scope: a.test.js, b.test.js. Undo'],
    ['manual', null, 'A person did not accept "Ask Ada" as done: the item is open again.'],
    ['approval', null, 'A person answered "Good?" with no.'],
    ['requirement', null, 'A person does not take R2 ("It is fast") as met.'],
    [
      'requirement_change',
      'A person accepted your change of the requirements: R1: it is small, R2: it is fast.',
      'A person declined your change of the requirements: R1: it is small, R2: it is fast.',
    ],
    [
      'criterion',
      'A person accepted the criterion that you proposed: ',
      'A person declined the criterion that you proposed: ',
    ],
    [
      'scope_change',
      'A person accepted the wider scope that you asked for: "src/**". The goal block shows it.',
      'A person declined the wider scope that you asked for: "src/**". Changes there prove nothing.',
    ],
    [
      'unknown_effect',
      'A person acknowledged the call whose end was not seen.',
      'A person does not want you to rely on the call whose end was not seen.',
    ],
    ['tool', null, null],
  ])('%s', (kind, approved, denied) => {
    const heard = (decision: 'approve' | 'deny') => noticeOf(kind, decision, data);
    for (const [decision, text] of [['approve', approved] as const, ['deny', denied] as const]) {
      if (text === null) expect(heard(decision)).toBeNull();
      else expect(heard(decision)).toMatch(new RegExp(`^${text.replace(/[.*()?"]/g, '\\$&')}`));
    }
  });

  const note = 'because';
  const of = (kind: ApprovalKind, decision: 'approve' | 'deny', words: string | null = note) =>
    decisionMessages({ kind, decision, data, note: words });

  test('the words of a declined proposal stand in the host’s message', () => {
    const { notice, words } = of('criterion', 'deny');
    expect(notice).toMatch(/ Go on without it\. Their words: because$/);
    expect(words).toBeNull();
  });

  test('the words of any other denial are a message of the person', () => {
    expect(of('completion', 'deny')).toEqual({
      notice: 'Your claim to be done was looked at and not accepted.',
      words: note,
    });
  });

  test('words about a call belong to its result', () => {
    expect(of('tool', 'deny')).toEqual({ notice: null, words: null });
  });

  test('an approval needs no words, and empty ones are none', () => {
    expect(of('completion', 'approve')).toEqual({ notice: null, words: null });
    expect(of('completion', 'deny', ' ').words).toBeNull();
    expect(of('completion', 'deny', null).words).toBeNull();
    expect(of('criterion', 'deny', null).notice).toMatch(/Go on without it\.$/);
    expect(of('criterion', 'approve').notice).not.toContain('Their words');
  });
});

describe('a person reads which files a wider scope takes in', () => {
  const asked = (more: object) => describeApproval('scope_change', { ...data, ...more }).question;

  test('by name, with their number and what is known of them', () => {
    expect(asked({ files: ['src/a.ts', 'src/b c'], count: 2, changed: 1, judges: 1 })).toBe(
      'May src/a.ts, "src/b c" (1 changed so far, 1 judge it by their names) count as the goal\'s work? It asks for "src/**".',
    );
  });

  test('of many, eight', () => {
    const files = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const text = asked({ files, count: 12 });
    expect(text).toContain('f7 and 4 more (none changed so far)');
    expect(text).not.toContain('f8');
  });

  test('that are not there yet, or lie anywhere, or are kept otherwise', () => {
    expect(asked({ count: 0 })).toContain('May files that are not there yet count');
    expect(asked({ count: 0, everything: true })).toContain(
      'not there yet, and whatever it writes anywhere, count',
    );
    expect(asked({ files: ['a'], count: 1, lifted: ['test/**'] })).toContain(
      'a (none changed so far), although its scope keeps "test/**", count',
    );
    expect(asked({ files: ['a'], count: 1, lifted: [] })).not.toContain('although');
  });

  test('with letters of another alphabet spelled out', () => {
    expect(asked({ change: ['srс/**'], count: 0 })).toContain('"srс/**" ("sr<U+0441>/**")');
    expect(asked({ files: ['a"b'], count: 1 })).toContain('May "a\\"b" (');
  });
});
