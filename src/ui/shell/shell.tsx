import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { loadingDialog } from '../components/dialog.tsx';
import { lazyView } from '../components/lazy-view.tsx';
import { SkeletonLines } from '../components/skeleton.tsx';
import { useMayPause } from '../session/session-context.tsx';
import { SessionEnded } from '../session/session-ended.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { KeySheet } from './key-sheet.tsx';
import { useKeys } from './keys.ts';
import { NotFound } from './not-found.tsx';
import { useNotices } from './notifying.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { SideBar } from './side-bar.tsx';
import { TabBar } from './tab-bar.tsx';
import { useTabIcon } from './waiting.ts';

const loading = <SkeletonLines label="Loading the page" widths={[30, 80, 65, 72, 50]} />;

const GoalsPage = lazyView(
  'The list of goals',
  loading,
  async () => (await import('../pages/goals/goals-page.tsx')).GoalsPage,
);
const GoalPage = lazyView(
  'The page of a goal',
  loading,
  async () => (await import('../pages/goal/goal-page.tsx')).GoalPage,
);
const InboxPage = lazyView(
  'The inbox',
  loading,
  async () => (await import('../pages/inbox/inbox-page.tsx')).InboxPage,
);
const StartPage = lazyView(
  'The start form',
  loading,
  async () => (await import('../pages/new/start-page.tsx')).StartPage,
);
const OpsPage = lazyView(
  'The page of operations',
  loading,
  async () => (await import('../pages/ops/ops-page.tsx')).OpsPage,
);
const SchedulesPage = lazyView(
  'The schedules',
  loading,
  async () => (await import('../pages/schedules/schedules-page.tsx')).SchedulesPage,
);
const NewSchedulePage = lazyView(
  'The form of a schedule',
  loading,
  async () => (await import('../pages/schedules/schedule-page.tsx')).NewSchedulePage,
);
const SchedulePage = lazyView(
  'The schedule',
  loading,
  async () => (await import('../pages/schedules/schedule-page.tsx')).SchedulePage,
);
const TriggersPage = lazyView(
  'The triggers',
  loading,
  async () => (await import('../pages/triggers/triggers-page.tsx')).TriggersPage,
);
const TriggerPage = lazyView(
  'The trigger',
  loading,
  async () => (await import('../pages/triggers/trigger-page.tsx')).TriggerPage,
);
const SettingsPage = lazyView(
  'The settings',
  loading,
  async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage,
);

// The page that the address asks for loads while the frame around it is drawn.
const [, addressed] = /^\/goals\/([^/]+)/.exec(location.pathname) ?? [];
if (addressed !== undefined) GoalPage.fetchEarly();
else if (location.pathname === '/goals') GoalsPage.fetchEarly();
else if (location.pathname === '/inbox') InboxPage.fetchEarly();

const Palette = lazyView(
  'What can be done',
  loadingDialog,
  async () => (await import('./palette.tsx')).Palette,
);

/** Null for what is no turn: the address shows the goal. */
const turnNumber = (text: string): number | null =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

type Overlay = 'keys' | 'palette' | 'account' | null;

/** The frame around all pages: the side bar, the inbox, keys that work everywhere. */
export function Shell() {
  const [path, navigate] = useLocation();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const main = useRef<HTMLElement>(null);
  const mayStart = useMayPause();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const toggleTheme = () => setColorScheme(isDark ? 'light' : 'dark');
  useKeys({
    '?': () => setOverlay('keys'),
    t: toggleTheme,
    'g g': () => navigate('/goals'),
    'g i': () => navigate('/inbox'),
    'g o': () => navigate('/ops'),
    'g s': () => navigate('/schedules'),
    'g t': () => navigate('/triggers'),
    n: () => mayStart && navigate('/new'),
  });
  useTabIcon();
  useNotices();
  usePaletteKey(() => setOverlay('palette'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins at its top.
  useEffect(() => main.current?.focus({ preventScroll: true }), [path.split('/')[1]]);
  const close = () => setOverlay(null);
  return (
    <div className="app">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SideBar isDark={isDark} onTheme={toggleTheme} onOpen={setOverlay} />
      <main className="main" id="main" tabIndex={-1} ref={main}>
        <OfflineBanner />
        <Switch>
          <Route path="/goals">
            <GoalsPage />
          </Route>
          <Route path="/inbox">
            <InboxPage />
          </Route>
          <Route path="/goals/:goalId/turns/:turn">
            {({ goalId, turn }) => (
              <GoalPage key={goalId} goalId={goalId} tab="turn" turn={turnNumber(turn)} />
            )}
          </Route>
          <Route path="/goals/:goalId/:tab?">
            {({ goalId, tab }) => <GoalPage key={goalId} goalId={goalId} tab={tab ?? 'overview'} />}
          </Route>
          <Route path="/ops">
            <OpsPage />
          </Route>
          <Route path="/schedules">
            <SchedulesPage />
          </Route>
          <Route path="/schedules/new">
            <NewSchedulePage />
          </Route>
          <Route path="/schedules/:scheduleId">
            {({ scheduleId }) => <SchedulePage key={scheduleId} scheduleId={scheduleId} />}
          </Route>
          <Route path="/triggers">
            <TriggersPage />
          </Route>
          <Route path="/triggers/:name">
            {({ name }) => <TriggerPage key={name} name={decodeURIComponent(name)} />}
          </Route>
          <Route path="/new">
            <StartPage />
          </Route>
          <Route path="/settings/:tab">{({ tab }) => <SettingsPage tab={tab} />}</Route>
          <Route path="/settings">
            <Redirect to="/settings/tokens" replace />
          </Route>
          <Route path="/">
            <Redirect to="/goals" replace />
          </Route>
          <Route path="/signin">
            <Redirect to="/goals" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </main>
      <TabBar onMore={() => setOverlay('account')} />
      <SessionEnded />
      <KeySheet isOpen={overlay === 'keys'} onClose={close} />
      <AccountDialog
        isOpen={overlay === 'account'}
        onClose={close}
        isDark={isDark}
        onTheme={toggleTheme}
        onPalette={() => setOverlay('palette')}
      />
      {overlay === 'palette' ? <Palette path={path} onClose={close} /> : null}
    </div>
  );
}

/** Works also while typing: it is how one gets away from a field. */
function usePaletteKey(open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
