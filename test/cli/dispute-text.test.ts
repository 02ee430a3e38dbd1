import { expect, test } from 'vitest';
import type { Dispute } from '../../schema/dispute.ts';
import { disputeText } from '../../src/cli/dispute-text.ts';
import { requirementLines } from '../../src/cli/requirement-text.ts';

const dispute: Dispute = {
  disputeId: 'd-1-2',
  goalId: 'g-1',
  criterionId: 'c1',
  criterion: { kind: 'command', command: 'make test' },
  kind: 'contradiction',
  counterExample: { command: 'cat check.sh', expect: { exit: 0, contains: '-qx 3' } },
  explanation: 'It wants 3, not 42.\u001b[2J',
  place: 'proof',
  runs: [{ tree: 'work', exit: 0, shows: true, output: 'grep -qx 3 a\u001b[31m', receipt: 7 }],
  showsOnOriginal: true,
  showsOnNothing: false,
  turn: 2,
  state: 'open',
  createdAt: '2026-01-01T00:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  note: null,
};

test('DIS-1 a dispute shows what was run, what it showed, and what each answer leads to', () => {
  const text = disputeText(dispute);
  expect(text).toContain('contradiction d-1-2 (open): c1, the host runs `make test`');
  expect(text).toContain('counter-example: cat check.sh, expects exit 0 and "-qx 3"');
  expect(text).toContain("run with the goal's changes: exit 0, shows it (receipt 7)");
  expect(text).toContain('it shows on the original as well');
  for (const way of ['amend g-1', 'dispute g-1 d-1-2 --insist', 'dispute g-1 d-1-2 --infeasible'])
    expect(text).toContain(`goalkeeper ${way}`);
  expect(text).not.toContain('\u001b');
});

test('DIS-7 a dispute that rests on the goal’s own changes, or on nothing, says so', () => {
  expect(disputeText({ ...dispute, showsOnOriginal: false })).toContain('beware: it shows only');
  expect(disputeText({ ...dispute, showsOnNothing: true })).toContain(
    'beware: it shows in an empty',
  );
  const decided = disputeText({
    ...dispute,
    state: 'insisted',
    decidedBy: 'ada',
    note: 'It is 42.',
  });
  expect(decided).toContain('ada: It is 42.');
  expect(decided).not.toContain('--insist');
});

test('REQ-1 requirements show who checks each one, and whose words they are', () => {
  const one = { text: 'It is 42\u001b[2J', criteria: ['c1'], setBy: 'model', by: 'host' } as const;
  expect(
    requirementLines([
      { ...one, requirementId: 'R1', criteria: [...one.criteria] },
      { requirementId: 'R2', text: 'It is fast', criteria: [], setBy: 'person', by: 'nobody' },
      { requirementId: 'R3', text: 'Late', criteria: [], setBy: 'model', by: 'person', late: true },
    ]).map((line) => line.replaceAll(/[^ -~]/g, '?')),
  ).toEqual([
    expect.stringContaining('R1  by the host (c1): It is 42'),
    '  R2  by nobody: It is fast [yours]',
    '  R3  by a person: Late [named late]',
  ]);
});
