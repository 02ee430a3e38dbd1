import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOrigins } from '../../src/proof/line-origins.ts';
import { madeStaleBy, type WritingRow, writersOf } from '../../src/proof/written-by.ts';

const row = (seq: number, more: Partial<WritingRow> = {}): WritingRow => ({
  ...{ seq, turn: 1, tool: 'write_file', hasSucceeded: true, criterionId: null, command: null },
  ...{ hasWritten: false, file: null, ...more },
});
const write = (seq: number, before: string | null, after: string | null) =>
  row(seq, { hasWritten: true, file: { before, after } });
const step = { turn: 1, before: 'a', after: 'c' };

describe('who wrote a step', () => {
  test('a chain of calls from its first content to its last explains it', () => {
    const rows = [write(2, 'a', 'b'), write(4, 'b', 'c'), row(5)];
    expect(writersOf(step, rows)).toEqual({ rows: rows.slice(0, 2), unknown: null });
  });

  test.each([
    ['a gap', [write(2, 'a', 'b'), write(4, 'x', 'c')]],
    ['another end', [write(2, 'a', 'b')]],
  ])('%s leaves something unknown', (_, rows) => {
    expect(writersOf(step, rows).unknown).toBe('something else wrote it as well');
  });

  test('a receipt without its hash says so', () => {
    const rows = [row(2, { hasWritten: true, file: {} })];
    expect(writersOf(step, rows)).toEqual({ rows, unknown: 'a receipt holds no hash of it' });
  });

  test('a turn without a call that wrote it, and no turn at all, tell nothing', () => {
    expect(writersOf(step, [row(1)]).unknown).toMatch(/^no call of turn 1/);
    expect(writersOf({ ...step, turn: null }, [write(2, 'a', 'c')]).rows).toEqual([]);
  });
});

describe('what a write made stale', () => {
  const criteria = [
    { criterionId: 'C1', spec: { kind: 'command', command: 'npm test' } },
    { criterionId: 'C2', spec: { kind: 'command', command: 'npm run lint' } },
  ] as const;
  const runs = (seq: number, command: string, hasSucceeded = true) =>
    row(seq, { tool: 'run_command', command, hasSucceeded });

  test('the criteria whose newest good run nothing was written behind', () => {
    const rows = [
      runs(1, 'npm test'),
      write(2, 'a', 'b'),
      runs(3, 'npm run lint'),
      write(4, 'b', 'c'),
    ];
    expect(madeStaleBy(2, criteria, rows)).toEqual(['C1']);
    expect(madeStaleBy(4, criteria, rows)).toEqual(['C2']);
  });

  test('neither a failed run nor a later one', () => {
    const rows = [runs(1, 'npm test', false), write(2, 'a', 'b'), runs(3, 'npm test')];
    expect(madeStaleBy(2, criteria, rows)).toEqual([]);
  });

  test('a run of the host for the criterion', () => {
    expect(madeStaleBy(3, criteria, [row(1, { criterionId: 'C2' })])).toEqual(['C2']);
  });
});

test('every line of the last version that the first one lacks has a step, and every line that went has one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (versions) => {
      const origins = lineOrigins(versions);
      const [first = [], last = []] = [versions[0], versions.at(-1)];
      expect(origins?.written).toHaveLength(last.length);
      expect(origins?.removed).toHaveLength(first.length);
      const kept = last.filter((_, index) => origins?.written[index] === null);
      const stayed = first.filter((_, index) => origins?.removed[index] === null);
      expect(kept).toEqual(stayed);
    }),
  );
});
