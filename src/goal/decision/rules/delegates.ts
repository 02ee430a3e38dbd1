import type { TurnFacts } from '../../../contract/turn-facts.ts';
import { holdsCheaply } from '../gate.ts';
import {
  isHostDriven,
  isStuck,
  mayGoOn,
  type RuleContext,
  type RuleResult,
  withoutStreaks,
} from '../rule-context.ts';
import { nudgeTone } from '../score.ts';

const hasStopped = ({ end, finishReason }: TurnFacts): boolean =>
  end === 'yield' && (finishReason === 'stop' || finishReason === 'absent');

const awaitedBy = ({ delegates }: TurnFacts): number => delegates?.awaited ?? 0;

/**
 * A goal that is a delegate has no criteria to prove, so the text with which it stops is its
 * result. Words that announce more work don't count as an end.
 */
export function takeFinding(context: RuleContext): RuleResult {
  const { facts, input, limits, score } = context;
  if (input.isDelegate !== true || !hasStopped(facts) || facts.signals.isEmpty) return null;
  if (!isHostDriven(facts) || !holdsCheaply(facts) || awaitedBy(facts) > 0) return null;
  const meansToGoOn = nudgeTone(score, facts.signals, limits) === 'go_on';
  if (meansToGoOn && mayGoOn(context)) return null;
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'complete', source: 'implicit', verification: 'supported' },
    sentence: 'The delegate stopped; its last text is its result.',
  };
}

/** A wake that the model asks for beside a delegate would come before its result (O20). */
const asksForTimer = ({ end, election }: TurnFacts): boolean =>
  end === 'election' && election?.on === 'timer';

/** A turn that handed work over and has nothing else to do waits. */
export function waitForDelegates(context: RuleContext): RuleResult {
  const { facts } = context;
  const awaited = awaitedBy(facts);
  if (isStuck(context) || awaited === 0) return null;
  if (!hasStopped(facts) && !asksForTimer(facts)) return null;
  return {
    yieldsTo: 'result',
    outcome: { action: 'wait', on: 'delegate', seconds: null, next: 'wake' },
    sentence: `Waits for ${awaited} ${awaited === 1 ? 'delegate' : 'delegates'}.`,
    counters: withoutStreaks(context),
  };
}
