import { renderAmended } from '../context/goal-block.ts';
import {
  nudgeText,
  type PromptName,
  renderPrompt,
  sessionText,
  wakeText,
  wrapUpText,
} from '../context/prompts.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { TurnKind } from '../contract/turn-facts.ts';

/**
 * The host's words that open a turn, from what the last settled turn led to; null where a person
 * speaks. Rendered from the record, so that a retry opens the same turn with the same words.
 */
export function hostTextFor(brief: GoalBrief, kind: TurnKind, turn: number): string | null {
  if (brief.isExternal === true) return sessionTextFor(brief, kind);
  switch (kind) {
    case 'start':
      return startText(brief);
    case 'resume':
      return renderPrompt(kind);
    case 'wake':
      // A wake that an earlier turn asked for didn't open this one.
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

/** What a session is told that stopped before the goal was proven; it hears people first. */
function sessionTextFor(brief: GoalBrief, kind: TurnKind): string | null {
  if (kind === 'start') return null;
  const amended = brief.isAmended === true ? renderAmended(brief) : null;
  if (kind === 'message' || kind === 'answer') return amended;
  const { missing = [], reasons = {} } = brief.lastDecision ?? {};
  const goOn = sessionText({ missing, reasons });
  return amended === null ? goOn : `${amended}\n\n${goOn}`;
}

function startText(brief: GoalBrief): string {
  const start = renderPrompt(startOf(brief));
  return brief.continues === undefined ? start : `${renderPrompt('continued')}\n\n${start}`;
}

function startOf({ mode, plannedBy }: GoalBrief): PromptName {
  if (mode !== 'agent') return `start-${mode}`;
  return plannedBy === undefined ? 'start' : 'start-planned';
}

function nudgeFor({ lastDecision, mode }: GoalBrief): string {
  // The mode forbids changes and claims, so the text asks for neither.
  if (mode === 'gather') return renderPrompt('nudge-gather');
  const { missing, reasons, action } = lastDecision ?? {
    missing: [],
    reasons: {},
    action: 'nudge',
  };
  return nudgeText({ missing, reasons, mode, isGoOn: action === 'continue' });
}
