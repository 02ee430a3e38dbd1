import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { timelineQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { clock } from '../../view/format.ts';

/** Every claim that was refused, and what it lacked. */
export function RefusalList({ goal }: { readonly goal: Goal }) {
  const { data } = useInfiniteQuery(timelineQuery(goal.goalId));
  const refusals = (data ?? []).filter(({ action }) => action === 'refuse');
  if (refusals.length === 0) return null;
  return (
    <section aria-label="Refusals">
      <h2 className="gate-heading">
        Refusals <span className="pane-note">{refusals.length}</span>
      </h2>
      <div className="requirement-table">
        {refusals.map(({ turn, settledAt, missing }) => (
          <div key={turn} className="requirement-row refusal">
            <EvidenceIcon state="failed" />
            <Link className="link" href={`/goals/${goal.goalId}?turn=${turn}`}>
              Turn {turn}
              {settledAt === null ? '' : `, ${clock(settledAt)}`}
            </Link>
            <span className="text-muted">
              Missing then: <span className="mono">{missing.join(' ')}</span>
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}
