import { describe, expect, test } from 'vitest';
import { lostTests, reportOfNames, turnedTests } from '../../src/proof/test-report.ts';

const report = (passed: string[], failed: string[] = []) =>
  reportOfNames('node:test', { passed, failed, skipped: [] });

describe('PRF-31: several tests with one name are as many tests', () => {
  test('one of which turned has turned', () => {
    const before = report(['a > x', 'a > twin'], ['a > y', 'a > twin']);
    const now = report(['a > x', 'a > y', 'a > twin', 'a > twin']);
    expect(turnedTests(before, now)).toEqual(['a > y', 'a > twin']);
  });

  test('one of which is gone is lost', () => {
    const before = report(['a > twin'], ['a > twin']);
    expect(lostTests(before, report(['a > twin']), () => true)).toEqual([
      { name: 'a > twin', kind: 'test_gone' },
    ]);
    expect(lostTests(before, report(['a > twin', 'a > twin']), () => false)).toEqual([]);
  });
});
