import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePolling } from '../../api/operations.ts';
import { triggersQuery } from '../../api/triggers.ts';
import type { Trigger } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Since } from '../../components/since.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconLock, IconPlus, IconWebhook } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { actionWords, senderNames } from '../../view/trigger-text.ts';
import { Loaded } from '../settings/loaded.tsx';
import { SettingsTable } from '../settings/settings-table.tsx';
import { NewTriggerDialog } from './new-trigger-dialog.tsx';
import { TriggerActs } from './trigger-acts.tsx';

const EVERY_MS = 5000;

const columns = ['Trigger', 'Sender', 'What it does', 'As', 'Turned away', 'On', null];

/** What comes from outside, and what it does. */
export function TriggersPage() {
  useTitle('Triggers');
  const mayAct = useMayAct();
  const isOffline = useIsOffline();
  const client = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const triggers = useQuery({ ...triggersQuery, ...usePolling(EVERY_MS), enabled: mayAct });
  return (
    <>
      <header className="page-head start-head">
        <div className="row settings-title">
          <div className="grow">
            <h1>Triggers</h1>
            <p className="page-summary">Signed deliveries from outside, and what they do here.</p>
          </div>
          {mayAct ? (
            <Button look="primary" disabled={isOffline} onClick={() => setMaking(true)}>
              <IconPlus size={14} stroke={1.75} aria-hidden="true" />
              New trigger
            </Button>
          ) : null}
        </div>
      </header>
      {mayAct ? (
        <Loaded what="The triggers" query={triggers}>
          {(items) => <Triggers items={items} />}
        </Loaded>
      ) : (
        <NotYours />
      )}
      {isMaking ? (
        <NewTriggerDialog
          onMade={() => void client.invalidateQueries({ queryKey: ['triggers'] })}
          onClose={() => setMaking(false)}
        />
      ) : null}
    </>
  );
}

export const NotYours = () => (
  <StateBox
    icon={<IconLock size={28} stroke={1.4} aria-hidden="true" />}
    title="Triggers are for operators and admins"
    text="Your role reads other pages. Sign in with another token to see this one."
  />
);

function Triggers({ items }: { readonly items: readonly Trigger[] }) {
  if (items.length === 0) {
    return (
      <StateBox
        icon={<IconWebhook size={28} stroke={1.4} aria-hidden="true" />}
        title="No trigger"
        text="A trigger takes signed deliveries of a CI, a tracker or a program: it starts a goal, says something to one, or is what a goal waits for."
      />
    );
  }
  return (
    <SettingsTable label="Triggers" columns={columns}>
      {items.map((trigger) => (
        <TriggerRow key={trigger.triggerId} trigger={trigger} />
      ))}
    </SettingsTable>
  );
}

function TriggerRow({ trigger }: { readonly trigger: Trigger }) {
  const { name, kind, owner, refused, paused } = trigger;
  return (
    <tr>
      <td className="break">
        <Link className="link" href={`/triggers/${name}`}>
          <b>{name}</b>
        </Link>
      </td>
      <td data-label="Sender">{senderNames[kind]}</td>
      <td className="break" data-label="What it does">
        {actionWords(trigger)}
      </td>
      <td className="mono break" data-label="As">
        {owner}
      </td>
      <td data-label="Turned away" title={refused.lastWhy ?? undefined}>
        {refused.lastAt === null ? (
          <span className="text-muted">none</span>
        ) : (
          <>
            {refused.count}, <Since at={refused.lastAt} suffix=" ago" />
          </>
        )}
      </td>
      <td data-label="On">{paused === undefined ? 'yes' : <span className="tag">paused</span>}</td>
      <td className="settings-act">
        <TriggerActs trigger={trigger} />
      </td>
    </tr>
  );
}
