import { useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { SkeletonLines } from '../components/skeleton.tsx';
import { SessionEnded } from '../session/session-ended.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { KeySheet } from './key-sheet.tsx';
import { useKeys } from './keys.ts';
import { NotFound } from './not-found.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SideBar } from './side-bar.tsx';
import { TabBar } from './tab-bar.tsx';

const GoalsPage = lazy(() =>
  import('../pages/goals/goals-page.tsx').then(({ GoalsPage }) => ({ default: GoalsPage })),
);
const GoalPage = lazy(() =>
  import('../pages/goal/goal-page.tsx').then(({ GoalPage }) => ({ default: GoalPage })),
);
const StartPage = lazy(() =>
  import('../pages/new/start-page.tsx').then(({ StartPage }) => ({ default: StartPage })),
);
const JumpTo = lazy(() => import('./jump-to.tsx').then(({ JumpTo }) => ({ default: JumpTo })));

type Overlay = 'keys' | 'jump' | 'account' | null;

const loading = <SkeletonLines label="Loading the page" widths={[30, 80, 65, 72, 50]} />;

/** What stays while pages change: the side bar, the inbox, keys that work everywhere. */
export function Shell() {
  const [path, navigate] = useLocation();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const main = useRef<HTMLElement>(null);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const toggleTheme = () => setColorScheme(isDark ? 'light' : 'dark');
  useKeys({
    '?': () => setOverlay('keys'),
    t: toggleTheme,
    'g g': () => navigate('/goals'),
    'g o': () => navigate('/ops'),
    n: () => navigate('/new'),
  });
  useJumpKey(() => setOverlay('jump'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins at its top.
  useEffect(() => main.current?.focus({ preventScroll: true }), [path.split('/')[1]]);
  const close = () => setOverlay(null);
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <SideBar isDark={isDark} onTheme={toggleTheme} onOpen={setOverlay} />
      <main className="main" id="main" tabIndex={-1} ref={main}>
        <OfflineBanner />
        <Suspense fallback={loading}>
          <Switch>
            <Route path="/goals" component={GoalsPage} />
            <Route path="/goals/:goalId/:tab?">
              {({ goalId, tab }) => (
                <GoalPage key={goalId} goalId={goalId} tab={tab ?? 'overview'} />
              )}
            </Route>
            <Route path="/new" component={StartPage} />
            <Route path="/">
              <Redirect to="/goals" replace />
            </Route>
            <Route path="/signin">
              <Redirect to="/goals" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </main>
      <TabBar onMore={() => setOverlay('account')} />
      <SessionEnded />
      <KeySheet isOpen={overlay === 'keys'} onClose={close} />
      <AccountDialog
        isOpen={overlay === 'account'}
        onClose={close}
        isDark={isDark}
        onTheme={toggleTheme}
      />
      {overlay === 'jump' ? (
        <Suspense fallback={null}>
          <JumpTo onClose={close} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Works also while typing: it is how one gets away from a field. */
function useJumpKey(open: () => void): void {
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
