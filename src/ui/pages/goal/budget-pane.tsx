import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { timelineQuery } from '../../api/queries.ts';
import type { Criterion, Goal } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { Bar } from '../../components/bar.tsx';
import { buttonClass } from '../../components/button.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { Receipt } from '../../components/receipt.tsx';
import { IconShieldCheck } from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { criterionText } from '../../view/criterion-text.ts';
import { criteriaWords, evidenceOfCriterion, evidenceWords } from '../../view/evidence.ts';
import { limitsOf } from '../../view/limits.ts';
import { BudgetChart } from './budget-chart.tsx';
import { Chain } from './chain.tsx';
import type { DialogName } from './dialogs/goal-dialog.tsx';
import { Notices } from './notices.tsx';
import { RequirementsPane } from './requirements-pane.tsx';
import { Result } from './result.tsx';
import { Tree } from './tree.tsx';

export function BudgetPane(props: {
  readonly goal: Goal;
  readonly onDialog: (name: DialogName) => void;
}) {
  const { goal, onDialog } = props;
  const { data: timeline } = useInfiniteQuery(timelineQuery(goal.goalId));
  return (
    <section className="pane budget-pane" aria-label="Budget, criteria, chain">
      <div className="pane-section now-section">
        <div className="row">
          <h2>Now</h2>
          <span className="grow truncate text-right">
            <ActorChip goal={goal} />
          </span>
        </div>
      </div>
      <Result goal={goal} />
      <Tree goal={goal} />
      <div className="pane-section">
        <BudgetChart goal={goal} timeline={timeline ?? []} />
        <div className="limits">
          {limitsOf(goal).map(({ name, label, used, allowed, percent, level }) => (
            <div key={name} className="limit-row">
              <span className="limit-label">{label}</span>
              {percent === null ? (
                <span className="bar unlimited" />
              ) : (
                <Bar percent={percent} level={level} />
              )}
              <span className="limit-value">
                <b>{used}</b> {allowed === null ? 'no limit' : `/ ${allowed}`}
              </span>
            </div>
          ))}
        </div>
      </div>
      <Criteria goal={goal} />
      <RequirementsPane goal={goal} onEdit={() => onDialog('requirements')} />
      <Chain goal={goal} />
      <Notices goal={goal} />
    </section>
  );
}

function Criteria({ goal }: { readonly goal: Goal }) {
  const { criteria } = goal;
  return (
    <div className="pane-section">
      <h2>
        Criteria
        <span className="pane-note">{criteriaWords(goal)}</span>
      </h2>
      {criteria.length === 0 ? (
        <p className="text-muted">
          No check was given or found: a person judges when it claims to be done.
        </p>
      ) : null}
      {criteria.map((criterion) => (
        <CriterionLine key={criterion.criterionId} goal={goal} criterion={criterion} />
      ))}
      <Link
        className={buttonClass({ isSmall: true }, 'open-gate')}
        href={`/goals/${goal.goalId}/gate`}
      >
        <IconShieldCheck size={14} stroke={1.75} aria-hidden="true" />
        Open the completion gate
      </Link>
    </div>
  );
}

const classes = {
  failed: 'tone-bad',
  stale: 'tone-warn',
  waiting: 'keeper-text',
  holds: 'keeper-text',
} as const;

function CriterionLine({
  goal,
  criterion,
}: {
  readonly goal: Goal;
  readonly criterion: Criterion;
}) {
  const mayAct = useMayAct();
  const asked = goal.activity.on === 'approval' && nextAct(goal, mayAct).kind === 'you';
  const state = evidenceOfCriterion(goal, criterion, asked);
  const { what, rule, isCode } = criterionText(criterion);
  const newest = criterion.receipts.at(-1);
  return (
    <div className="criterion">
      <EvidenceIcon state={state} />
      <div>
        <div className={isCode ? 'command-text' : 'text-strong'}>{what}</div>
        <div className="text-small text-muted">
          {rule}
          {state === 'proved' ? null : (
            <>
              ,{' '}
              <span className={state in classes ? classes[state as keyof typeof classes] : ''}>
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
