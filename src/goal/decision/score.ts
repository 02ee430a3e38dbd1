import type { Continuation } from '../../../schema/policy.ts';
import type { Score } from '../../contract/decision.ts';
import type { TextSignals, TurnFacts } from '../../contract/turn-facts.ts';

/** How a nudge speaks; the score decides only this. */
export type NudgeTone = 'go_on' | 'warning' | 'name_missing';

const finishReasonPoints: Readonly<Record<TurnFacts['finishReason'], number>> = {
  tool_calls: 30,
  absent: 15,
  stop: 0,
  length: 0,
  content_filter: 0,
  other: 0,
};

export function scoreTurn(facts: TurnFacts): Score {
  const { signals } = facts;
  const parts = {
    finishReason: finishReasonPoints[facts.finishReason],
    toolResult: facts.followsToolResult ? 25 : 0,
    intent: signals.hasIntent && !signals.hasCompletion ? 25 : 0,
    noSummary: signals.hasSummary ? 0 : 10,
    ratio: facts.toolRatio > 0.5 ? 10 : 0,
  };
  const total = Object.values(parts).reduce((sum, points) => sum + points, 0);
  return { total, ...parts };
}

export function nudgeTone(score: Score, signals: TextSignals, limits: Continuation): NudgeTone {
  if (score.total >= limits.continueAt && !speaksOfTheEnd(signals)) return 'go_on';
  return score.total >= limits.warnAt ? 'warning' : 'name_missing';
}

/** Words that veto "go on" whatever the score: the model sees itself at the end, or waits. */
function speaksOfTheEnd(signals: TextSignals): boolean {
  return (
    signals.hasCompletion ||
    signals.hasSummary ||
    signals.plansSummary ||
    signals.waitsForPerson ||
    signals.asksDirectly
  );
}
