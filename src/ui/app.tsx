import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { sessionQuery } from './api/queries.ts';
import { FailedBox } from './components/failed-box.tsx';
import { SkeletonLines } from './components/skeleton.tsx';
import { LiveProvider } from './live/live-context.tsx';
import { SessionContext } from './session/session-context.tsx';

const Shell = lazy(() => import('./shell/shell.tsx').then(({ Shell }) => ({ default: Shell })));
const SignIn = lazy(() =>
  import('./pages/signin/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })),
);

const loading = <SkeletonLines label="Loading the console" widths={[40, 70, 55]} />;

/** Nobody signed in sees the sign-in page wherever they are, and goes on there afterwards. */
export function App() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return loading;
  if (session.isError) {
    const retry = () => void session.refetch();
    return <FailedBox what="Your session" error={session.error} onRetry={retry} />;
  }
  return (
    <Suspense fallback={loading}>
      {session.data === null ? (
        <SignIn />
      ) : (
        <SessionContext value={session.data}>
          <LiveProvider>
            <Shell />
          </LiveProvider>
        </SessionContext>
      )}
    </Suspense>
  );
}
