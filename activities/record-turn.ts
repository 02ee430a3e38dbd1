import type { Decision, NumberedDecision } from '../src/contract/decision.ts';
import type { GoalState } from '../src/contract/goal-state.ts';
import type { Execution, RecordPort, SettledTurn } from '../src/contract/record.ts';
import { namedDecision } from '../src/record/decision/rule-names.ts';
import { withFailures } from './failures.ts';

/** A workflow that began before rules had names sends its decision by number. */
type SentTurn = Omit<SettledTurn, 'decision'> & {
  readonly decision: Decision | NumberedDecision;
};

export const recordTurn =
  (record: RecordPort) =>
  (execution: Execution, turn: SentTurn): Promise<GoalState | null> =>
    withFailures(() =>
      record.recordTurn(execution, { ...turn, decision: namedDecision(turn.decision) }),
    );
