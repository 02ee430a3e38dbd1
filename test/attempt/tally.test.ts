import { describe, expect, test } from 'vitest';
import { emptyTally, type Tallied, tallyCall } from '../../src/attempt/tally.ts';

const call = (change: Partial<Tallied> = {}): Tallied => ({
  tool: 'read_file',
  input: '{"path":"a"}',
  outcome: 'succeeded',
  receipt: {},
  isLifecycle: false,
  isPlanned: change.tool === 'edit_file' || change.tool === 'write_file',
  ...change,
});

function tallied(calls: readonly Partial<Tallied>[]) {
  const tally = emptyTally();
  for (const one of calls) tallyCall(tally, call(one));
  return tally;
}

describe('the tally of a turn', () => {
  test.each([
    [['failed', 'failed'], 2],
    [['failed', 'succeeded'], 0],
    [['failed', 'succeeded', 'failed'], 1],
    [['failed', 'refused', 'failed'], 2],
    [['failed', 'unknown', 'failed'], 2],
    [['refused', 'unknown'], 0],
  ] as const)('C11 %j leaves %i tool errors in a row', (outcomes, errors) => {
    expect(tallied(outcomes.map((outcome) => ({ outcome }))).errorsInRow).toBe(errors);
  });

  test('C4 a failed write stands until the same path is written, a failed check until it passes', () => {
    const edit = { tool: 'edit_file', input: '{"path":"./a.ts"}', outcome: 'failed' } as const;
    const check = { tool: 'run_command', receipt: { command: 'npm test' } };
    const failed = tallied([edit, { ...check, outcome: 'failed' }]);
    expect([...failed.failedWrites, ...failed.failedCommands]).toEqual(['a.ts', 'npm test']);
    const other = tallied([edit, { tool: 'write_file', receipt: { writes: ['b.ts'] } }]);
    expect([...other.failedWrites]).toEqual(['a.ts']);
    const repaired = tallied([
      edit,
      { tool: 'write_file', receipt: { writes: ['a.ts'] } },
      { ...check, outcome: 'failed' },
      check,
    ]);
    expect([...repaired.failedWrites, ...repaired.failedCommands]).toEqual([]);
  });

  test('M28 the same lifecycle call that fails by its form counts; another one in between breaks the row', () => {
    const malformed = { tool: 'attempt_completion', outcome: 'failed', isLifecycle: true } as const;
    expect(tallied([malformed, malformed]).malformedInRow).toBe(2);
    expect(tallied([malformed, {}, malformed]).malformedInRow).toBe(1);
    expect(tallied([malformed, { ...malformed, input: '{}' }]).malformedInRow).toBe(1);
  });

  test('M28 the same claim that is denied counts; a refused list does not, as its next state may pass', () => {
    const denied = { tool: 'attempt_completion', outcome: 'refused', isLifecycle: true } as const;
    expect(tallied([denied, denied]).malformedInRow).toBe(2);
    const list = { ...denied, tool: 'todo_write' };
    expect(tallied([list, list]).malformedInRow).toBe(0);
  });

  test('the same call counts as the same only with the same result', () => {
    const tally = emptyTally();
    const times = ['x', 'x', 'y', 'x'].map((outputSha256) =>
      tallyCall(tally, call({ receipt: { outputSha256 } })),
    );
    expect(times).toEqual([1, 2, 1, 3]);
  });
});
