import { Link, useLocation } from 'wouter';
import { PlainButton } from '../components/button.tsx';
import { IconDots, IconInbox, IconLayoutGrid, IconPlus } from '../generated/icons.tsx';
import { useMayPause } from '../session/session-context.tsx';
import { useWaiting } from './waiting.ts';
import { WaitingCount } from './waiting-count.tsx';

const icon = { className: 'icon', size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The side bar of a phone. */
export function TabBar({ onMore }: { readonly onMore: () => void }) {
  const [path] = useLocation();
  const waiting = useWaiting();
  const mayStart = useMayPause();
  const current = (page: string) => (path.startsWith(page) ? 'page' : undefined);
  return (
    <nav className="tab-bar" aria-label="Pages">
      <Link href="/goals" aria-current={current('/goals')}>
        <IconLayoutGrid {...icon} />
        Goals
      </Link>
      <Link href="/inbox" aria-current={current('/inbox')}>
        <IconInbox {...icon} />
        Inbox
        {waiting > 0 ? <WaitingCount count={waiting} /> : null}
      </Link>
      {mayStart ? (
        <Link href="/new" aria-current={current('/new')}>
          <IconPlus {...icon} />
          Start
        </Link>
      ) : null}
      <PlainButton onClick={onMore}>
        <IconDots {...icon} />
        More
      </PlainButton>
    </nav>
  );
}
