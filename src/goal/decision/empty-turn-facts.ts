import type { Mode } from '../../../schema/goal.ts';
import type { SliceEnd, TurnFacts, TurnKind } from '../../contract/turn-facts.ts';

/** The facts of a turn of which nothing is known but how it ended. */
export function emptyTurnFacts(turn: number, kind: TurnKind, mode: Mode, end: SliceEnd): TurnFacts {
  return {
    turn,
    kind,
    end,
    mode,
    steps: 0,
    toolCalls: 0,
    receipts: 0,
    finishReason: 'absent',
    signals: {
      isEmpty: true,
      hasIntent: false,
      hasCompletion: false,
      hasSummary: false,
      plansSummary: false,
      waitsForPerson: false,
      asksDirectly: false,
    },
    followsToolResult: false,
    toolRatio: 0,
    claim: null,
    question: null,
    blocker: null,
    limit: null,
    provider: null,
    failedTargets: [],
    openTodos: [],
    manualTodos: [],
    hasTodos: false,
    doneTodos: 0,
    unread: 0,
    wrote: false,
    activeMs: 0,
    detail: null,
  };
}
