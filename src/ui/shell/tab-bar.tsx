import { IconActivityHeartbeat, IconDots, IconLayoutGrid, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { countsQuery } from '../api/queries.ts';
import { PlainButton } from '../components/button.tsx';
import { useMayAct } from '../session/session-context.tsx';

const icon = { className: 'icon', size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The side bar of a phone. */
export function TabBar({ onMore }: { readonly onMore: () => void }) {
  const [path] = useLocation();
  const { data: counts } = useQuery(countsQuery);
  const needs = useMayAct() ? (counts?.groups.you ?? 0) : 0;
  const current = (page: string) => (path.startsWith(page) ? 'page' : undefined);
  return (
    <nav className="tab-bar" aria-label="Pages">
      <Link href="/goals" aria-current={current('/goals')}>
        <IconLayoutGrid {...icon} />
        Goals
        {needs > 0 ? (
          <span className="keeper-count">
            {needs}
            <span className="visually-hidden"> need you</span>
          </span>
        ) : null}
      </Link>
      <Link href="/ops" aria-current={current('/ops')}>
        <IconActivityHeartbeat {...icon} />
        Operations
      </Link>
      <Link href="/new" aria-current={current('/new')}>
        <IconPlus {...icon} />
        Start
      </Link>
      <PlainButton onClick={onMore}>
        <IconDots {...icon} />
        More
      </PlainButton>
    </nav>
  );
}
