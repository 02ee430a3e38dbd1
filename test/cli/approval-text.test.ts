import { expect, test } from 'vitest';
import type { Approval, ApprovalKind } from '../../schema/approval.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { approvalText } from '../../src/cli/approval-text.ts';
import { describeApproval } from '../../src/record/approvals/approval-text.ts';

const change = (what: Pick<ShownChange, 'name' | 'kind' | 'now' | 'diff'>): ShownChange => ({
  criterionIds: ['c1'],
  before: 'f01',
  ...what,
});

function approval(kind: ApprovalKind, data: Approval['data']): Approval {
  return {
    approvalId: 'a-1-2',
    goalId: 'g-1',
    kind,
    turn: 2,
    ...describeApproval(kind, data),
    data,
    state: 'open',
    createdAt: '2026-01-01T00:00:00.000Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
    always: null,
  };
}

test('an approval shows what is asked, what it rests on, and what each answer leads to', () => {
  const text = approvalText(
    approval('basis', {
      result: 'All green.',
      changedFiles: ['src/a.ts', 'test/a.test.ts'],
      changes: { 'test/a.test.ts': 'f00', 'old.test.ts': null },
      diffs: [
        change({
          name: 'test/a.test.ts',
          kind: 'beyond_scope',
          now: 'f00',
          diff: '-two\n+one',
        }),
        change({ name: 'old.test.ts', kind: 'beyond_scope', now: null, diff: '' }),
      ],
      reasons: { basis: 'The proof needs changes.' },
      receipts: [7, 9],
    }),
  );
  expect(text.split('\n')).toEqual([
    'basis a-1-2',
    "  The proof needs changes beyond the goal's scope: test/a.test.ts, old.test.ts. Do they belong to the work?",
    '  claim: All green.',
    '  changed files: src/a.ts, test/a.test.ts',
    '  beyond the scope, and the proof needs it:',
    '    test/a.test.ts  changed (c1)',
    '      -two',
    '      +one',
    '    old.test.ts  removed (c1)',
    '  why: The proof needs changes.',
    '  receipts (goalkeeper ledger): 7, 9',
    '  goalkeeper approve g-1 a-1-2',
    '      these changes count as work in this form, and the claim goes to the gate again',
    '  goalkeeper approve g-1 a-1-2 --deny --note WHY',
    '      the model is told to undo them',
  ]);
});

test('each kind asks a question of its own, and what a model wrote prints harmlessly', () => {
  const kinds: ApprovalKind[] = ['manual', 'approval', 'criterion', 'completion', 'unknown_effect'];
  const data = {
    content: 'Ask',
    result: '\u001b[2J',
    question: 'Good?',
    describes: 'x',
    detail: 'y',
  };
  const texts = kinds.map((kind) => approvalText(approval(kind, data)));
  expect(new Set(texts.map((text) => text.split('\n')[1])).size).toBe(kinds.length);
  expect(texts.join('')).not.toContain('\u001b');
  expect(approvalText({ ...approval('manual', data), state: 'superseded' })).not.toContain(
    '--deny',
  );
});
