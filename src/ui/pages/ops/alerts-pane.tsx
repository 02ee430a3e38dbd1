import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Alert, Alerts } from '../../api/types.ts';
import { ActChip } from '../../components/actor-chip.tsx';
import { buttonClass } from '../../components/button.tsx';
import { IconAlertTriangle, IconCircleCheck } from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { clock, dateAndTime, plural } from '../../view/format.ts';
import { actOfAlert } from '../../view/operations.ts';
import { OpsPane } from './ops-pane.tsx';

const classes = { high: 'tone-bad', medium: 'tone-warn', low: 'text-muted' } as const;
const words = { high: 'Urgent', medium: 'Soon', low: 'To know' } as const;

/** The alerts, each with its place and its next actor. */
export function AlertsPane({ query }: { readonly query: UseQueryResult<Alerts> }) {
  return (
    <OpsPane title="Alerts" query={query}>
      {({ items, unknown, chainsChecked }) => (
        <>
          {items.map((alert) => (
            <AlertRow key={alert.alertId} alert={alert} />
          ))}
          {items.length > 0 ? null : (
            <p className="ops-calm">
              <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
              {unknown.length === 0 ? 'Nothing needs attention.' : 'Nothing known needs attention.'}
            </p>
          )}
          {unknown.length === 0 ? null : (
            <p className="ops-notice">
              Could not be asked, so alerts may be missing: {unknown.join(', ')}.
            </p>
          )}
          <p className="text-small text-muted ops-note">
            {plural(chainsChecked, 'ledger')} looked at, of the goals that moved last.
          </p>
        </>
      )}
    </OpsPane>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { level, title, detail, at, goalId, kind } = alert;
  const act = actOfAlert(alert, useMayAct());
  return (
    <div className="ops-alert" data-alert={kind}>
      <span className={classes[level]} role="img" aria-label={words[level]} title={words[level]}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <h3>{title}</h3>
        <p className="text-muted text-small">{detail}</p>
      </div>
      <div className="row">
        <ActChip act={act} />
        {at === null ? null : (
          <time
            className="text-small text-muted tabular desktop-only"
            dateTime={at}
            title={dateAndTime(at)}
          >
            {clock(at, 'seconds')}
          </time>
        )}
        {goalId === null ? null : (
          <Link
            className={buttonClass({ look: 'subtle', isSmall: true })}
            href={pathOf(alert, goalId)}
          >
            Open goal
          </Link>
        )}
      </div>
    </div>
  );
}

const pathOf = ({ kind }: Alert, goalId: string): string =>
  kind === 'chain' ? `/goals/${goalId}/ledger` : `/goals/${goalId}`;
