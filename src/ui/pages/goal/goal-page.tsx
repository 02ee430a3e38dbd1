import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { ApiError } from '../../api/problem.ts';
import { goalQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { loadingDialog } from '../../components/dialog.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { lazyView } from '../../components/lazy-view.tsx';
import { RemovedBox, removedGoal } from '../../components/removed-goal.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconSearch } from '../../generated/icons.tsx';
import { useListening } from '../../live/live-context.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useTitle } from '../../shell/use-title.ts';
import { AskBar } from './ask-bar.tsx';
import type { DialogName } from './dialogs/goal-dialog.tsx';
import { GoalHead } from './goal-head.tsx';
import { type GoalView, goalTabs, goalViews } from './goal-tabs.ts';
import { Overview } from './overview.tsx';

const loading = <SkeletonLines label="Loading the goal" widths={[80, 60, 90, 50, 70, 85, 40]} />;

const ChangesPage = lazyView(
  'The page of the changes',
  loading,
  async () => (await import('../changes/changes-page.tsx')).ChangesPage,
);
const GatePage = lazyView(
  'The page of the gate',
  loading,
  async () => (await import('../gate/gate-page.tsx')).GatePage,
);
const LedgerPage = lazyView(
  'The page of the ledger',
  loading,
  async () => (await import('../ledger/ledger-page.tsx')).LedgerPage,
);
const GoalDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('./dialogs/goal-dialog.tsx')).GoalDialog,
);
const ProofPage = lazyView(
  'The page of the proof',
  loading,
  async () => (await import('../proof/proof-page.tsx')).ProofPage,
);
const HistoryPage = lazyView(
  'The page of the history',
  loading,
  async () => (await import('../history/history-page.tsx')).HistoryPage,
);
const TurnPage = lazyView(
  'The page of the turn',
  loading,
  async () => (await import('../turn/turn-page.tsx')).TurnPage,
);
const ComparePage = lazyView(
  'The comparison',
  loading,
  async () => (await import('../compare/compare-page.tsx')).ComparePage,
);
const LedgerDrawer = lazyView(
  'The details of a call',
  loadingDialog,
  async () => (await import('../ledger/ledger-drawer.tsx')).LedgerDrawer,
);

if (location.pathname.endsWith('/history')) HistoryPage.fetchEarly();
else if (location.pathname.endsWith('/changes')) ChangesPage.fetchEarly();

export function GoalPage({
  goalId,
  tab,
  turn = null,
}: {
  readonly goalId: string;
  readonly tab: string;
  /** Of the tab `turn`. */
  readonly turn?: number | null;
}) {
  const goal = useQuery(goalQuery(goalId));
  useTitle(goal.data?.objective.slice(0, 80) ?? goalId);
  if (goal.isPending) return loading;
  const removed = removedGoal(goal.error);
  if (removed !== null) return <RemovedBox goal={removed} isPage />;
  if (goal.data === undefined) {
    const isUnknown = goal.error instanceof ApiError && goal.error.problem.status === 404;
    if (isUnknown) return <NoSuchGoal goalId={goalId} />;
    return <FailedBox what="The goal" error={goal.error} onRetry={() => void goal.refetch()} />;
  }
  const shown = goalViews.find((name) => name === tab) ?? 'overview';
  return <LoadedGoal goal={goal.data} tab={turn === null ? shown : 'turn'} turn={turn} />;
}

function LoadedGoal({
  goal,
  tab,
  turn,
}: {
  readonly goal: Goal;
  readonly tab: GoalView;
  readonly turn: number | null;
}) {
  const { goalId, status } = goal;
  useListening(goalId, status === 'active' && goal.archivedAt === undefined);
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
    '5': () => open(5),
    '6': () => open(6),
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
      {tab === 'overview' ? <Overview goal={goal} onDialog={setDialog} /> : null}
      {tab === 'changes' ? <ChangesPage goal={goal} onDialog={setDialog} /> : null}
      {tab === 'gate' ? <GatePage goal={goal} onDialog={setDialog} /> : null}
      {tab === 'proof' ? <ProofPage goal={goal} /> : null}
      {tab === 'ledger' ? <LedgerPage goal={goal} /> : null}
      {tab === 'history' ? <HistoryPage goal={goal} /> : null}
      {tab === 'compare' ? <ComparePage goal={goal} /> : null}
      {turn === null ? null : <TurnPage key={turn} goal={goal} turn={turn} />}
      {call > 0 ? <LedgerDrawer goal={goal} seq={call} onClose={closeCall} /> : null}
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
      isPage
      title="No such goal"
      text={`There is no goal ${goalId} in this service.`}
    >
      <Link className={buttonClass({})} href="/goals">
        Back to goals
      </Link>
    </StateBox>
  );
}
