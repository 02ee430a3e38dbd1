import { isStuck, pauseFor, type RuleContext, type RuleResult } from '../rule-context.ts';

export function pauseWithoutProgress(context: RuleContext): RuleResult {
  const message = reasonToPause(context);
  return message === null ? null : pauseFor('no_progress', 'result', { message });
}

function reasonToPause(context: RuleContext): string | null {
  const { facts, counters, limits } = context;
  if (facts.end === 'repetition') {
    return facts.detail ?? 'The same call gave the same result again.';
  }
  if (counters.toolFreeTurns >= limits.toolFreeTurns) {
    return `${counters.toolFreeTurns} turns in a row used no tool and met nothing new.`;
  }
  if (!isStuck(context)) return null;
  return `${counters.turnsWithoutProgress} turns in a row met no criterion or todo item.`;
}
