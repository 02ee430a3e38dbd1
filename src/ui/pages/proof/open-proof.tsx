import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { gateQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconFileOff } from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { openVerdict } from '../../view/proof-verdict.ts';
import { Beyond, Criteria, Facts, Felt, Panel, Requirements, VerdictHead } from './proof-parts.tsx';

/** What a proof would rest on, of a goal that has none; yellow where a person decides about it. */
export function OpenProof({ goal }: { readonly goal: Goal }) {
  const gate = useQuery(gateQuery(goal.goalId));
  const mayAct = useMayAct();
  if (gate.isPending) return <SkeletonLines label="Loading the gate" widths={[60, 80, 70]} />;
  if (gate.data === undefined) {
    return <FailedBox what="The gate" error={gate.error} onRetry={() => void gate.refetch()} />;
  }
  const verdict = openVerdict(goal, gate.data);
  const { scope } = goal;
  const isHolding = verdict.look === 'holds';
  return (
    <article className={`proof-page look-${verdict.look}`}>
      <VerdictHead verdict={verdict}>
        {isHolding && mayAct ? (
          <Link className={buttonClass({ look: 'keeper' })} href="/inbox">
            Answer
          </Link>
        ) : null}
        <Link className={buttonClass({})} href={`/goals/${goal.goalId}/gate`}>
          What is missing
        </Link>
      </VerdictHead>
      <div className="proof-columns">
        <div>
          <Requirements verdict={verdict} />
          <Criteria verdict={verdict} />
          <Felt felt={verdict.felt} />
          <Beyond beyond={verdict.beyond} />
        </div>
        <div className="proof-side">
          {scope === undefined ? null : (
            <Panel title="Scope">
              <Facts
                facts={[
                  ['Set by', `the ${scope.setBy}`],
                  ['May change', <Globs key="change" globs={scope.change} />],
                  ['Kept', <Globs key="keep" globs={scope.keep} />],
                ]}
              />
            </Panel>
          )}
          <Panel title="Isolation">
            <Facts facts={[['Commands', goal.isolation ?? 'not recorded']]} />
          </Panel>
        </div>
      </div>
    </article>
  );
}

export const Globs = ({ globs }: { readonly globs: readonly string[] }) => (
  <span className="mono">{globs.slice(0, 40).join(' ') || 'nothing'}</span>
);

/** A completion that no file shows. */
export function NoProof({ goalId, why }: { readonly goalId: string; readonly why: string }) {
  return (
    <StateBox
      icon={<IconFileOff size={28} stroke={1.4} aria-hidden="true" />}
      title="No proof to show"
      text={why}
    >
      <Link className={buttonClass({})} href={`/goals/${goalId}/gate`}>
        The gate
      </Link>
    </StateBox>
  );
}
