import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { ApiError } from '../../api/problem.ts';
import { goalQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useTitle } from '../../shell/use-title.ts';
import { AskBar } from './ask-bar.tsx';
import { type DialogName, GoalDialog } from './dialogs/goal-dialog.tsx';
import { GoalHead } from './goal-head.tsx';
import { Overview } from './overview.tsx';

const GatePage = lazy(() =>
  import('../gate/gate-page.tsx').then(({ GatePage }) => ({ default: GatePage })),
);
const LedgerPage = lazy(() =>
  import('../ledger/ledger-page.tsx').then(({ LedgerPage }) => ({ default: LedgerPage })),
);
const LedgerDrawer = lazy(() =>
  import('../ledger/ledger-drawer.tsx').then(({ LedgerDrawer }) => ({ default: LedgerDrawer })),
);

export const goalTabs = ['overview', 'gate', 'history', 'ledger'] as const;
export type GoalTab = (typeof goalTabs)[number];

const loading = <SkeletonLines label="Loading the goal" widths={[80, 60, 90, 50, 70, 85, 40]} />;

export function GoalPage({ goalId, tab }: { readonly goalId: string; readonly tab: string }) {
  const goal = useQuery(goalQuery(goalId));
  useTitle(goal.data?.objective.slice(0, 80) ?? goalId);
  if (goal.isPending) return loading;
  if (goal.data === undefined) {
    const isUnknown = goal.error instanceof ApiError && goal.error.problem.status === 404;
    if (isUnknown) return <NoSuchGoal goalId={goalId} />;
    return <FailedBox what="The goal" error={goal.error} onRetry={() => void goal.refetch()} />;
  }
  const shown = goalTabs.find((name) => name === tab) ?? 'overview';
  return <LoadedGoal goal={goal.data} tab={shown} />;
}

function LoadedGoal({ goal, tab }: { readonly goal: Goal; readonly tab: GoalTab }) {
  const { goalId, status } = goal;
  const [, navigate] = useLocation();
  const [search, setSearch] = useSearchParams();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const mayAct = useMayAct();
  const mayPause = useMayPause();
  const open = (name: number) => navigate(`/goals/${goalId}/${goalTabs[name - 1]}`);
  useKeys({
    '1': () => open(1),
    '2': () => open(2),
    '3': () => open(3),
    '4': () => open(4),
    p: () => mayPause && status === 'active' && setDialog('pause'),
    r: () => mayAct && status === 'paused' && setDialog('resume'),
    a: () => mayAct && setDialog('approve'),
  });
  const call = Number(search.get('call') ?? 0);
  const closeCall = () =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.delete('call');
      return after;
    });
  return (
    <>
      <GoalHead goal={goal} tab={tab} onDialog={setDialog} />
      <AskBar goal={goal} onDialog={setDialog} />
      <Suspense fallback={loading}>
        {tab === 'overview' ? <Overview goal={goal} /> : null}
        {tab === 'gate' ? <GatePage goal={goal} onDialog={setDialog} /> : null}
        {tab === 'ledger' ? <LedgerPage goal={goal} /> : null}
        {tab === 'history' ? <NoHistory /> : null}
        {call > 0 ? <LedgerDrawer goal={goal} seq={call} onClose={closeCall} /> : null}
      </Suspense>
      {dialog === null ? null : (
        <GoalDialog name={dialog} goal={goal} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

function NoSuchGoal({ goalId }: { readonly goalId: string }) {
  return (
    <StateBox
      icon={<IconSearch size={28} stroke={1.4} aria-hidden="true" />}
      title="No such goal"
      text={`There is no goal ${goalId} in this service.`}
    >
      <Link className="btn" href="/goals">
        Back to goals
      </Link>
    </StateBox>
  );
}

function NoHistory() {
  return (
    <StateBox
      icon={<IconSearch size={28} stroke={1.4} aria-hidden="true" />}
      title="History is not part of this version yet"
      text="What happened is in the turns and in the ledger; both keep everything."
    />
  );
}
