import type { Inbox } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { IconBell, IconBellOff } from '../../generated/icons.tsx';
import { useNow } from '../../live/now.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { useNotifying } from '../../shell/notifying.ts';
import { ago } from '../../view/format.ts';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

export function InboxHead({ inbox }: { readonly inbox: Inbox | undefined }) {
  const mayAct = useMayAct();
  return (
    <header className="page-head inbox-head">
      <div className="row">
        <div className="grow">
          <h1>Inbox</h1>
          <p className="page-summary tabular">
            {inbox === undefined ? '\u00a0' : <Summary inbox={inbox} />}
          </p>
        </div>
        {mayAct ? <NotifyButton /> : null}
      </div>
    </header>
  );
}

function Summary({ inbox: { items, total } }: { readonly inbox: Inbox }) {
  const now = useNow();
  if (items.length === 0) return 'Nothing waits.';
  const hold = items.filter(({ holds }) => holds).length;
  const [oldest = ''] = items.map(({ since }) => since).sort();
  const verb = hold === 1 ? 'holds' : 'hold';
  const waited = ago(oldest, now);
  const longest = waited === 'now' ? '' : ` The oldest has waited ${waited}.`;
  return `${hold} ${verb} a goal, ${total - hold} can wait.${longest}`;
}

/** The browser asks for permission only once a person wants it. */
function NotifyButton() {
  const { state, toggle } = useNotifying();
  if (state === 'missing') return null;
  return (
    <Button isSmall className="desktop-only" disabled={state === 'denied'} onClick={toggle}>
      {state === 'on' ? <IconBellOff {...icon} /> : <IconBell {...icon} />}
      {state === 'denied'
        ? 'Blocked in this browser'
        : state === 'on'
          ? 'Stop notifying here'
          : 'Notify in this browser'}
    </Button>
  );
}
