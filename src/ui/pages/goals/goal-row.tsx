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
      className={`gr gl ${props.isCurrent ? 'cur' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={props.index + 2}
      data-goal={goalId}
    >
      <div className="cbx" role="cell">
        <input
          className="cb"
          type="checkbox"
          aria-label={`Select ${goalId}`}
          checked={isSelected}
          onChange={() => props.onToggle(goalId)}
        />
      </div>
      <div className="c-obj" role="cell">
        <Link className="obj clamp2" href={`/goals/${goalId}`} title={goal.objective.slice(0, 500)}>
          {goal.objective}
        </Link>
        <div className="sub">
          <StatusTag goal={goal} />
          <span className="sep mono">{goalId}</span>
          <span className="sep">r{goal.revision}</span>
          <span className="sep ell">{goal.workspace.name}</span>
        </div>
      </div>
      <div className="c-why ell" role="cell">
        <ActorChip goal={goal} />
      </div>
      <div className="todo" role="cell">
        {proof.total === 0 ? (
          <span className="xs t3">no criteria yet</span>
        ) : (
          <>
            <div className="xs num">
              <span className="b">{proof.proved}</span>
              <span className="t3">/{proof.total}</span>
              {proof.stale > 0 ? <span className="warn"> {proof.stale} stale</span> : null}
            </div>
            <ProofPips proof={proof} />
          </>
        )}
      </div>
      <div className="budget" role="cell">
        <BudgetBars goal={goal} />
      </div>
      <div className="cost r num" role="cell">
        <div className="b">
          <Ticking text={dollars(usage.costUsd)} />
        </div>
        {budget.costUsd === null ? null : <div className="xs t3">of {dollars(budget.costUsd)}</div>}
      </div>
      <div className="last r num ell" role="cell">
        <Since at={goal.updatedAt} suffix=" ago" />
        <div className="xs t3 ell d2">turn {usage.turns}</div>
      </div>
    </div>
  );
});
