import { IconShieldCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { timelineQuery } from '../../api/queries.ts';
import type { Criterion, Goal } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { Bar } from '../../components/bar.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { Receipt } from '../../components/receipt.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { criterionText } from '../../view/criterion-text.ts';
import { evidenceOfCriterion, evidenceWords } from '../../view/evidence.ts';
import { limitsOf } from '../../view/limits.ts';
import { BudgetChart } from './budget-chart.tsx';
import { Chain } from './chain.tsx';
import { Result } from './result.tsx';
import { Tree } from './tree.tsx';

export function BudgetPane({ goal }: { readonly goal: Goal }) {
  const { data: timeline } = useInfiniteQuery(timelineQuery(goal.goalId));
  return (
    <section className="pane budget" aria-label="Budget, criteria, chain">
      <div className="sec now">
        <div className="row">
          <h2>Now</h2>
          <span className="grow ell r">
            <ActorChip goal={goal} />
          </span>
        </div>
      </div>
      <Result goal={goal} />
      <Tree goal={goal} />
      <div className="sec">
        <BudgetChart goal={goal} timeline={timeline ?? []} />
        <div className="bt">
          {limitsOf(goal).map(({ name, label, used, allowed, percent, level }) => (
            <div key={name} className="btr">
              <span className="l">{label}</span>
              {percent === null ? (
                <span className="bar none" />
              ) : (
                <Bar percent={percent} level={level} />
              )}
              <span className="v">
                <b>{used}</b> {allowed === null ? 'no limit' : `/ ${allowed}`}
              </span>
            </div>
          ))}
        </div>
      </div>
      <Criteria goal={goal} />
      <Chain goal={goal} />
    </section>
  );
}

function Criteria({ goal }: { readonly goal: Goal }) {
  const { criteria } = goal;
  const proved = criteria.filter(({ state }) => state === 'met').length;
  return (
    <div className="sec">
      <h2>
        Criteria
        <span className="c">
          {criteria.length === 0 ? 'none' : `${proved} of ${criteria.length} proved`}
        </span>
      </h2>
      {criteria.length === 0 ? (
        <p className="t3">
          No check was given or found: a person judges when it claims to be done.
        </p>
      ) : null}
      {criteria.map((criterion) => (
        <CriterionLine key={criterion.criterionId} goal={goal} criterion={criterion} />
      ))}
      <Link className="btn sm to-gate" href={`/goals/${goal.goalId}/gate`}>
        <IconShieldCheck size={14} stroke={1.75} aria-hidden="true" />
        Open the completion gate
      </Link>
    </div>
  );
}

const tones = { failed: 'bad', stale: 'warn', waiting: 'keep-text' } as const;

function CriterionLine({
  goal,
  criterion,
}: {
  readonly goal: Goal;
  readonly criterion: Criterion;
}) {
  const mayAct = useMayAct();
  const asked = goal.activity.on === 'approval' && nextAct(goal, mayAct).kind === 'you';
  const state = evidenceOfCriterion(criterion, asked);
  const { what, rule, isCode } = criterionText(criterion);
  const newest = criterion.receipts.at(-1);
  return (
    <div className="cr">
      <EvidenceIcon state={state} />
      <div>
        <div className={isCode ? 'cmd' : 'b'}>{what}</div>
        <div className="xs t3">
          {rule}
          {state === 'proved' ? null : (
            <>
              ,{' '}
              <span className={state in tones ? tones[state as keyof typeof tones] : ''}>
                {evidenceWords[state].toLowerCase()}
              </span>
            </>
          )}{' '}
          {newest === undefined ? null : <Receipt seq={newest} />}
        </div>
      </div>
    </div>
  );
}
