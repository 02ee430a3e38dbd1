import { refusalText } from '../../waits/chain.ts';
import { mayGoOn, pauseFor, type RuleContext, type RuleDecision } from '../rule-context.ts';
import { nudgeTone } from '../score.ts';

/** Decides every turn that no other rule decided: "go on", or a list of what is missing. */
export function nudge(context: RuleContext): RuleDecision {
  const { facts, limits, score, wake } = context;
  if (!limits.enabled) {
    const message = 'The model yielded and nudges are turned off.';
    return pauseFor('question', 'result', { message });
  }
  if (wake?.isGranted === false) return nudgeWith(refusalText(wake));
  const tone = nudgeTone(score, facts.signals, limits);
  if (tone === 'go_on' && mayGoOn(context)) return goOn(context);
  const sentence = `The model yielded with a score of ${score.total}; the nudge names what is missing.`;
  return { ...nudgeWith(sentence), isWarning: tone === 'warning' };
}

const nudgeWith = (sentence: string): RuleDecision => ({
  yieldsTo: 'result',
  outcome: { action: 'nudge', next: 'nudge' },
  sentence,
});

function goOn({ counters, score }: RuleContext): RuleDecision {
  const continuationsWithoutReceipt = counters.continuationsWithoutReceipt + 1;
  return {
    yieldsTo: 'message',
    outcome: { action: 'continue', next: 'nudge' },
    sentence: `The model means to go on (score ${score.total}).`,
    counters: { ...counters, continuationsWithoutReceipt },
  };
}
