import { nudgeText, renderPrompt, wakeText, wrapUpText } from '../context/prompts.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { TurnKind } from '../contract/turn-facts.ts';

/**
 * The host's words that open a turn, from what the last settled turn led to; null where a person
 * speaks. Rendered from the record, so that a retry opens the same turn with the same words.
 */
export function hostTextFor(brief: GoalBrief, kind: TurnKind, turn: number): string | null {
  switch (kind) {
    case 'start':
    case 'resume':
      return renderPrompt(kind);
    case 'wake':
      // One that an earlier turn made isn't what this turn was waited for.
      return wakeText(brief.election?.turn === turn - 1 ? brief.election : null);
    case 'message':
    case 'answer':
      return null;
    case 'wrap_up':
      return brief.limit === null ? renderPrompt('resume') : wrapUpText(brief.limit);
    case 'nudge':
      return nudgeFor(brief);
  }
}

function nudgeFor({ lastDecision, mode }: GoalBrief): string {
  // It may neither change nor claim anything, so it is asked for neither.
  if (mode === 'gather') return renderPrompt('nudge-gather');
  const { missing, reasons, action } = lastDecision ?? {
    missing: [],
    reasons: {},
    action: 'nudge',
  };
  return nudgeText({ missing, reasons, isGoOn: action === 'continue' });
}
