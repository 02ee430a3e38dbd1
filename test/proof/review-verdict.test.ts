import { describe, expect, it } from 'vitest';
import { parseVerdict } from '../../src/proof/review-verdict.ts';

describe('the verdict of a reviewer', () => {
  it.each([
    ['{"verdict":"pass","findings":[]}', true],
    ['```json\n{"verdict": "pass"}\n```', true],
    ['{"verdict":"fail","findings":["a is wrong"]}', false],
  ])('%s is one', (text, isPass) => {
    expect(parseVerdict(text)?.isPass).toBe(isPass);
  });

  it.each([
    '',
    'pass',
    'All good. {"verdict":"pass"}',
    '{"verdict":"pass"} and then {"verdict":"fail"}',
    '{"verdict":"PASS"}',
    '{"verdict":true}',
    '{"findings":[]}',
    '["pass"]',
  ])('%s is none', (text) => {
    expect(parseVerdict(text)).toBeNull();
  });
});
