import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './api/queries.ts';
import { FailedBox } from './components/failed-box.tsx';
import { lazyView } from './components/lazy-view.tsx';
import { SkeletonLines } from './components/skeleton.tsx';
import { LiveProvider } from './live/live-context.tsx';
import { SessionContext } from './session/session-context.tsx';

const loading = <SkeletonLines label="Loading the console" widths={[40, 70, 55]} />;

// `lazy` is not used, because React delays its content by 0.3 s after the skeleton.
const Shell = lazyView(
  'The console',
  loading,
  async () => (await import('./shell/shell.tsx')).Shell,
);
const SignIn = lazyView(
  'The page to sign in',
  loading,
  async () => (await import('./pages/signin/sign-in.tsx')).SignIn,
);

// Its code is read while the service says who is there.
Shell.fetchEarly();

/** Without a session every address shows the sign-in page, and then its own page. */
export function App() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return loading;
  if (session.isError) {
    const retry = () => void session.refetch();
    return <FailedBox what="Your session" error={session.error} onRetry={retry} />;
  }
  if (session.data === null) return <SignIn />;
  return (
    <SessionContext value={session.data}>
      <LiveProvider>
        <Shell />
      </LiveProvider>
    </SessionContext>
  );
}
