import { describe, expect, test } from 'vitest';
import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type { CounterExample, Dispute, DisputeState } from '../../schema/dispute.ts';
import { showsIt, whyNoDispute } from '../../src/proof/disputes.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';

const parse = await loadShellParser();
const command: Criterion = { kind: 'command', command: 'npm test' };
const example = (line: string, expected: CounterExample['expect'] = { exit: 1 }) => ({
  command: line,
  expect: expected,
});

function criterion(change: Partial<TrackedCriterion> = {}): TrackedCriterion {
  const base = { criterionId: 'c1', spec: command, state: 'unmet', baseline: 'unmet' } as const;
  return { ...base, origin: 'caller', receipts: [], ...change };
}

function disputed(counterExample: CounterExample, state: DisputeState = 'insisted'): Dispute {
  return {
    disputeId: 'd-1',
    goalId: 'g-1',
    criterionId: 'c1',
    criterion: command,
    kind: 'wrong_check',
    counterExample,
    explanation: 'why',
    place: 'proof',
    runs: [],
    showsOnOriginal: true,
    showsOnNothing: false,
    turn: 1,
    state,
    createdAt: '2026-01-01T00:00:00.000Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
  };
}

const why = (
  counterExample: CounterExample,
  disputes: readonly Dispute[] = [],
  criteria: readonly TrackedCriterion[] = [criterion()],
) => whyNoDispute({ criterionId: 'c1', counterExample }, criteria, disputes, parse);

describe('DIS-6 a dispute is not taken', () => {
  test.each([
    ['echo impossible', { contains: 'impossible' }],
    ['true', { exit: 0 }],
    ['printf no; exit 1', { exit: 1 }],
    ['false # npm test', { exit: 1 }],
    ['npm test; exit 1', { exit: 1 }],
  ])('of a counter-example that shows nothing: %s', (line, expected) => {
    expect(why(example(line, expected))).toContain('shows nothing');
  });

  test('of a line that the shell would not read', () => {
    expect(why(example('grep "x'))).toContain("can't be read");
  });

  test('of what is not there or is a person’s own', () => {
    const fine = example('grep -q x a.txt');
    expect(why(fine)).toBeNull();
    expect(why(fine, [], [])).toContain('there is no criterion c1');
    const asks = criterion({ spec: { kind: 'approval', question: 'Fine?' } });
    expect(why(fine, [], [asks])).toContain("a person's own decision");
    expect(why(fine, [], [criterion({ origin: 'proposed' })])).toContain('a person approved it');
  });
});

describe('DIS-2 after a person insisted, a counter-example is new', () => {
  const seen = [disputed(example('grep -q x a.txt', { exit: 1 }))];

  test.each([
    ['the same', example('grep -q x a.txt')],
    ['spaced otherwise', example('grep  -q   x a.txt ')],
    ['with a comment', example('grep -q x a.txt # second')],
    ['quoted otherwise', example("grep -q 'x' a.txt")],
    ['with a print before it', example('echo now; grep -q x a.txt')],
    ['with a variable that nothing reads', example('N=2; grep -q x a.txt')],
  ])('not where it is %s', (_, again) => {
    expect(why(again, seen)).toContain('only with a new one');
  });

  test('where the command or the expectation differs', () => {
    expect(why(example('grep -q y a.txt'), seen)).toBeNull();
    expect(why(example('grep -q x a.txt', { exit: 2 }), seen)).toBeNull();
  });

  test('also where the person answered otherwise', () => {
    for (const state of ['superseded', 'amended'] as const)
      expect(
        why(example('grep -q x a.txt'), [disputed(example('grep -q x a.txt'), state)]),
      ).toBeNull();
  });
});

test('DIS-12 disputes of one criterion, and of one goal, have an end', () => {
  const other = example('grep -q new a.txt');
  const insisted = ['a', 'b', 'c'].map((word) => disputed(example(`grep -q ${word} a.txt`)));
  expect(why(other, insisted.slice(1))).toBeNull();
  expect(why(other, insisted)).toContain('insisted on c1 3 times');
  const many = Array.from({ length: 12 }, () => disputed(other, 'superseded'));
  expect(why(other, many)).toContain('no more than 12');
});

describe('DIS-13 that a criterion is unmet is no reason against it', () => {
  test.each(['npm test', 'npm  test # now', "sh -c 'npm test'"])('%s', (line) => {
    expect(why(example(line))).toContain('is unmet is no reason against it');
    expect(why(example(line, { exit: 1, contains: 'ENOENT' }))).toBeNull();
  });
});

test('DIS-5 only what was expected shows it, and never a run that the host ended', () => {
  expect(showsIt({ exit: 1 }, { exit: 1, output: '' })).toBe(true);
  expect(showsIt({ exit: 1 }, { exit: 2, output: '' })).toBe(false);
  expect(showsIt({ contains: 'x' }, { exit: 3, output: 'axb' })).toBe(true);
  expect(showsIt({ exit: 0, contains: 'x' }, { exit: 0, output: 'ab' })).toBe(false);
  expect(showsIt({ contains: 'x' }, { exit: null, output: 'x' })).toBe(false);
});
