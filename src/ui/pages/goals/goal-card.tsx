import { Link } from 'wouter';
import type { Goal } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { ProofPips } from '../../components/proof-pips.tsx';
import { proofOf } from '../../view/evidence.ts';
import { dollars } from '../../view/format.ts';
import { nearestLimit } from '../../view/limits.ts';
import { toneClass } from '../../view/tone.ts';

const tones = { calm: '', near: 'warn', reached: 'bad' } as const;

export function GoalCard({ goal }: { readonly goal: Goal }) {
  const proof = proofOf(goal);
  const limit = nearestLimit(goal);
  return (
    <article className="goal-card" data-goal={goal.goalId}>
      <Link className="goal-objective" href={`/goals/${goal.goalId}`}>
        {goal.objective}
      </Link>
      <ActorChip goal={goal} />
      <div className="goal-card-facts tabular">
        {proof.total === 0 ? null : (
          <>
            <span>
              <span className="text-strong">{proof.proved + proof.here + proof.holds}</span>/
              {proof.total}
            </span>
            <ProofPips proof={proof} />
          </>
        )}
        <span className="grow" />
        {limit === null ? null : (
          <span className={toneClass(tones[limit.level])}>
            {limit.label} {Math.round(limit.percent ?? 0)}%
          </span>
        )}
        <span>{dollars(goal.usage.costUsd)}</span>
      </div>
    </article>
  );
}
