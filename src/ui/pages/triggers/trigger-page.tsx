import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { usePolling } from '../../api/operations.ts';
import { triggerQuery } from '../../api/triggers.ts';
import type { Trigger, TriggerDelivery } from '../../api/types.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Since } from '../../components/since.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { dateAndTime } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';
import {
  actionWords,
  deliveryState,
  deliveryWords,
  goalsOf,
  mappingOf,
  senderNames,
} from '../../view/trigger-text.ts';
import { Loaded } from '../settings/loaded.tsx';
import { SettingsTable } from '../settings/settings-table.tsx';
import { TriggerActs } from './trigger-acts.tsx';
import { NotYours } from './triggers-page.tsx';

const EVERY_MS = 5000;

/** What one trigger does with what comes, and what came of it. */
export function TriggerPage({ name }: { readonly name: string }) {
  useTitle(name);
  const mayAct = useMayAct();
  const [, navigate] = useLocation();
  const trigger = useQuery({ ...triggerQuery(name), ...usePolling(EVERY_MS), enabled: mayAct });
  return (
    <>
      <header className="page-head start-head">
        <div className="row settings-title">
          <div className="grow">
            <h1 className="break">{name}</h1>
            <p className="page-summary">
              <Link className="link" href="/triggers">
                Triggers
              </Link>
            </p>
          </div>
          {mayAct && trigger.data !== undefined ? (
            <TriggerActs trigger={trigger.data} onDeleted={() => navigate('/triggers')} />
          ) : null}
        </div>
      </header>
      {mayAct ? (
        <Loaded what="The trigger" query={trigger}>
          {(found) => <Shown trigger={found} />}
        </Loaded>
      ) : (
        <NotYours />
      )}
    </>
  );
}

function Shown({ trigger }: { readonly trigger: Trigger }) {
  const { kind, path, owner, mostPerHour, paused, refused, deliveries = [] } = trigger;
  const url = `${location.origin}${path}`;
  return (
    <>
      <h2 className="settings-part">What it does</h2>
      <dl className="key-values settings-facts">
        <dt>Address</dt>
        <dd className="mono break">
          {url} <CopyButton isSmall text={url} words="Copy" />
        </dd>
        <dt>Sender</dt>
        <dd>{senderNames[kind]}</dd>
        <dt>Does</dt>
        <dd className="break">{actionWords(trigger)}</dd>
        <dt>As</dt>
        <dd className="mono">{owner}</dd>
        <dt>At most</dt>
        <dd>{mostPerHour} that act in an hour</dd>
        {paused === undefined ? null : (
          <>
            <dt>Paused</dt>
            <dd>
              by {paused.by}, <Since at={paused.at} suffix=" ago" />: what comes is left out
            </dd>
          </>
        )}
        {refused.lastAt === null ? null : (
          <>
            <dt>Turned away</dt>
            <dd className="break">
              {refused.count}, the last <Since at={refused.lastAt} suffix=" ago" />:{' '}
              {refused.lastWhy}
            </dd>
          </>
        )}
      </dl>
      <Mapping trigger={trigger} />
      <h2 className="settings-part">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p className="settings-note text-muted">None has come yet.</p>
      ) : (
        <SettingsTable
          label="Deliveries"
          columns={['Came', 'State', 'Event', 'What came of it', 'Goals', 'Id']}
        >
          {deliveries.map((one) => (
            <DeliveryRow key={one.deliveryId} delivery={one} />
          ))}
        </SettingsTable>
      )}
    </>
  );
}

function Mapping({ trigger }: { readonly trigger: Trigger }) {
  const { action } = trigger;
  return (
    <>
      <h2 className="settings-part">What it reads of a payload</h2>
      <dl className="key-values settings-facts">
        {mappingOf(trigger).map(([what, how]) => (
          <div key={`${what} ${how}`} className="mapped">
            <dt>{what}</dt>
            <dd className="mono break">{how}</dd>
          </div>
        ))}
      </dl>
      {action.kind === 'start' ? (
        <details className="settings-more">
          <summary>The whole start</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys. */}
          <pre className="settings-json" tabIndex={0}>
            {JSON.stringify(action.goal, null, 2)}
          </pre>
        </details>
      ) : null}
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: TriggerDelivery }) {
  const { receivedAt, externalId, event } = delivery;
  const { words, tone } = deliveryState(delivery);
  return (
    <tr>
      <td className="tabular">
        <time dateTime={receivedAt} title={dateAndTime(receivedAt)}>
          <Since at={receivedAt} suffix=" ago" />
        </time>
      </td>
      <td>
        <span className={`tag ${toneClass(tone)}`}>{words}</span>
      </td>
      <td className="break" data-label="Event">
        {event ?? <span className="text-muted">none</span>}
      </td>
      <td className="break" data-label="What came of it">
        {deliveryWords(delivery)}
      </td>
      <td className="break" data-label="Goals">
        {goalsOf(delivery).map((goalId) => (
          <div key={goalId}>
            <Link className="link mono" href={`/goals/${goalId}`}>
              {goalId}
            </Link>
          </div>
        ))}
      </td>
      <td className="mono break text-muted" data-label="Id">
        {externalId}
      </td>
    </tr>
  );
}
