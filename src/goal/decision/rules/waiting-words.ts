import { pauseFor, type RuleContext, type RuleResult } from '../rule-context.ts';

/** The last text asks a person something, or says that it waits for one. */
export function pauseForWords({ facts }: RuleContext): RuleResult {
  const { waitsForPerson, asksDirectly } = facts.signals;
  if (facts.end !== 'yield' || !(waitsForPerson || asksDirectly)) return null;
  const message = facts.detail ?? 'The last reply waits for a person.';
  return pauseFor('question', 'result', { message });
}
