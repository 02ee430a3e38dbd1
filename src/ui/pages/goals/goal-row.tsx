import { memo } from 'react';
import { Link } from 'wouter';
import type { Goal } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { BudgetBars } from '../../components/budget-bars.tsx';
import { ProofPips } from '../../components/proof-pips.tsx';
import { Since } from '../../components/since.tsx';
import { StatusTag } from '../../components/status-tag.tsx';
import { Ticking } from '../../components/ticking.tsx';
import { proofOf } from '../../view/evidence.ts';
import { dollars } from '../../view/format.ts';

/** On phones the same cells stack into a card. */
export const GoalRow = memo(function GoalRow(props: {
  readonly goal: Goal;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly onToggle: (goalId: string) => void;
}) {
  const { goal, isSelected } = props;
  const { goalId, budget, usage } = goal;
  const proof = proofOf(goal);
  return (
    <div
      className={`goal-grid goal-row ${props.isCurrent ? 'current' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={props.index + 2}
      data-goal={goalId}
    >
      <div className="select-cell" role="cell">
        <input
          className="checkbox"
          type="checkbox"
          aria-label={`Select ${goalId}`}
          checked={isSelected}
          onChange={() => props.onToggle(goalId)}
        />
      </div>
      <div className="objective-cell" role="cell">
        <Link
          className="goal-objective clamp-2"
          href={`/goals/${goalId}`}
          title={goal.objective.slice(0, 500)}
        >
          {goal.objective}
        </Link>
        <div className="goal-row-facts">
          <StatusTag goal={goal} />
          <span className="dot-separated mono">{goalId}</span>
          <span className="dot-separated">r{goal.revision}</span>
          <span className="dot-separated truncate">{goal.workspace.name}</span>
        </div>
      </div>
      <div className="actor-cell truncate" role="cell">
        <ActorChip goal={goal} />
      </div>
      <div className="proof-cell" role="cell">
        {proof.total === 0 ? (
          <span className="text-small text-muted">no criteria yet</span>
        ) : (
          <>
            <div className="text-small tabular">
              <span className="text-strong">{proof.proved + proof.here + proof.holds}</span>
              <span className="text-muted">/{proof.total}</span>
              {proof.stale > 0 ? <span className="tone-warn"> {proof.stale} stale</span> : null}
            </div>
            <ProofPips proof={proof} />
          </>
        )}
      </div>
      <div className="budget-cell" role="cell">
        <BudgetBars goal={goal} />
      </div>
      <div className="cost-cell text-right tabular" role="cell">
        <div className="text-strong">
          <Ticking text={dollars(usage.costUsd)} />
        </div>
        {budget.costUsd === null ? null : (
          <div className="text-small text-muted">of {dollars(budget.costUsd)}</div>
        )}
      </div>
      <div className="activity-cell text-right tabular truncate" role="cell">
        <Since at={goal.updatedAt} suffix=" ago" />
        <div className="text-small text-muted truncate activity-turn">turn {usage.turns}</div>
      </div>
    </div>
  );
});
