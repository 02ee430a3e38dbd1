import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { alertsQuery, usePolling } from '../api/operations.ts';
import { countsQuery } from '../api/queries.ts';
import { Button, PlainButton } from '../components/button.tsx';
import { Logo } from '../components/logo.tsx';
import {
  IconActivityHeartbeat,
  IconAdjustmentsHorizontal,
  IconCalendar,
  IconHelpCircle,
  IconInbox,
  IconKey,
  IconLayoutGrid,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
  IconWebhook,
} from '../generated/icons.tsx';
import { useMayAct, useMayPause, useSeesAll, useSession } from '../session/session-context.tsx';
import { plural } from '../view/format.ts';
import { Holding } from './holding.tsx';
import { LiveMark } from './live-mark.tsx';
import { useWaiting } from './waiting.ts';
import { WaitingCount } from './waiting-count.tsx';

/** On the page itself they come sooner. */
const ALERTS_EVERY_MS = 60_000;

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

export function SideBar(props: {
  readonly isDark: boolean;
  readonly onTheme: () => void;
  readonly onOpen: (overlay: 'keys' | 'palette' | 'account') => void;
}) {
  const [path] = useLocation();
  const session = useSession();
  const { data: counts } = useQuery(countsQuery);
  const seesAll = useSeesAll();
  const mayAct = useMayAct();
  const mayStart = useMayPause();
  const waiting = useWaiting();
  const polling = { ...alertsQuery, ...usePolling(ALERTS_EVERY_MS), enabled: seesAll };
  const alerts = useQuery(polling).data?.items.length ?? 0;
  const current = (page: string) => (path === page ? 'page' : undefined);
  return (
    <nav className="side-bar" aria-label="Main">
      <div className="brand">
        <Logo />
        <span>Goalkeeper</span>
      </div>
      <Link className="nav-item" href="/goals" aria-current={current('/goals')} title="Goals (g g)">
        <IconLayoutGrid {...icon} />
        <span className="nav-label">Goals</span>
        <span className="nav-note">{counts?.total}</span>
      </Link>
      <Link className="nav-item" href="/inbox" aria-current={current('/inbox')} title="Inbox (g i)">
        <IconInbox {...icon} />
        <span className="nav-label">Inbox</span>
        {waiting > 0 ? (
          <span className="nav-note nav-count">
            <WaitingCount count={waiting} />
          </span>
        ) : null}
      </Link>
      <Link
        className="nav-item"
        href="/schedules"
        aria-current={current('/schedules')}
        title="Schedules (g s)"
      >
        <IconCalendar {...icon} />
        <span className="nav-label">Schedules</span>
      </Link>
      {mayAct ? (
        <Link
          className="nav-item"
          href="/triggers"
          aria-current={current('/triggers')}
          title="Triggers (g t)"
        >
          <IconWebhook {...icon} />
          <span className="nav-label">Triggers</span>
        </Link>
      ) : null}
      {seesAll ? (
        <Link
          className="nav-item"
          href="/ops"
          aria-current={current('/ops')}
          title="Operations (g o)"
        >
          <IconActivityHeartbeat {...icon} />
          <span className="nav-label">Operations</span>
          <span className="nav-note">{alerts === 0 ? null : plural(alerts, 'alert')}</span>
        </Link>
      ) : null}
      {mayStart ? (
        <Link
          className="nav-item"
          href="/new"
          aria-current={current('/new')}
          title="Start goal (n)"
        >
          <IconPlus {...icon} />
          <span className="nav-label">Start goal</span>
          <span className="nav-note">
            <kbd>n</kbd>
          </span>
        </Link>
      ) : null}
      <PlainButton
        className="nav-item"
        onClick={() => props.onOpen('palette')}
        title="Do or jump to (Ctrl K)"
      >
        <IconSearch {...icon} />
        <span className="nav-label">Do or jump to…</span>
        <span className="nav-note">
          <kbd>Ctrl K</kbd>
        </span>
      </PlainButton>
      <Holding />
      <div className="side-bar-foot">
        <LiveMark />
        {mayAct ? (
          <Link
            className="nav-item"
            href="/settings/tokens"
            aria-current={path.startsWith('/settings') ? 'page' : undefined}
            title="Settings"
          >
            <IconAdjustmentsHorizontal {...icon} />
            <span className="nav-label">Settings</span>
          </Link>
        ) : null}
        <div className="row">
          <PlainButton
            className="nav-item grow"
            onClick={() => props.onOpen('account')}
            title={`Signed in as ${session.name}`}
          >
            <IconKey {...icon} />
            <span className="nav-label truncate">{session.name}</span>
          </PlainButton>
          <Button
            look="subtle"
            isIcon
            className="nav-label"
            onClick={props.onTheme}
            aria-label="Switch theme"
            title="Theme (t)"
          >
            {props.isDark ? <IconSun {...icon} /> : <IconMoon {...icon} />}
          </Button>
          <Button
            look="subtle"
            isIcon
            className="nav-label"
            onClick={() => props.onOpen('keys')}
            aria-label="Keyboard shortcuts"
            title="Shortcuts (?)"
          >
            <IconHelpCircle {...icon} />
          </Button>
        </div>
      </div>
    </nav>
  );
}
