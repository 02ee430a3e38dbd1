import { describe, expect, test } from 'vitest';
import { type RuleName, ruleNameSchema } from '../../../schema/rule-name.ts';
import { ruleText } from '../../../schema/rule-text.ts';
import { recordedRule, ruleNumbers } from '../../../src/record/decision/rule-names.ts';

const sharing = (number: number): RuleName[] =>
  ruleNameSchema.options.filter((name) => ruleNumbers[name] === number);

describe('the rule that a record tells of', () => {
  test.each(ruleNameSchema.options)('is read by its name: %s', (name) => {
    expect(recordedRule(ruleNumbers[name], name)).toBe(name);
  });

  test.each(Object.values(ruleNumbers))(
    'without a name, %d names a rule only where one has it alone',
    (number) => {
      const names = sharing(number);
      expect(recordedRule(number, null)).toBe(names.length === 1 ? names[0] : null);
      expect(recordedRule(number, 'a name from elsewhere')).toBe(recordedRule(number, undefined));
    },
  );

  test('has words of its own for people, beside those that share its number', () => {
    const texts = ruleNameSchema.options.map((name) => ruleText(ruleNumbers[name], name));
    expect(new Set(texts).size).toBe(ruleNameSchema.options.length);
    expect(ruleText(5, 'finding')).toBe("rule 5 (a delegate's finding)");
    expect(ruleText(5, null)).toBe('rule 5');
  });
});
