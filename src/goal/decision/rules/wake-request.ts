import { type RuleContext, type RuleResult, withoutStreaks } from '../rule-context.ts';

/** The model asked to be woken, within the bounds of its policy. */
export function waitAsRequested(context: RuleContext): RuleResult {
  const { facts, wake } = context;
  if (wake === null || !wake.isGranted) return null;
  const { on, seconds, note } = wake;
  const lead = on === 'timer' ? 'Waits' : 'Waits at most';
  const moved = note === null ? '' : ` (${note})`;
  return {
    yieldsTo: 'result',
    outcome: { action: 'wait', on, seconds, next: 'wake' },
    sentence: `${lead} ${seconds} s${moved}: ${facts.detail ?? 'the model asked for it'}`,
    counters: withoutStreaks(context),
  };
}
