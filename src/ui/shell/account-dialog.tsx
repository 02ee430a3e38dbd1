import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { keepConsoleSecret } from '../session/console-secret.ts';
import { useMayAct, useSeesAll, useSession } from '../session/session-context.tsx';
import { dateAndTime } from '../view/format.ts';
import { useToast } from './toasts.tsx';

export function AccountDialog(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isDark: boolean;
  readonly onTheme: () => void;
  readonly onPalette: () => void;
}) {
  const session = useSession();
  const mayAct = useMayAct();
  const seesAll = useSeesAll();
  const client = useQueryClient();
  const toast = useToast();
  const signOut = async () => {
    try {
      await answerOf(api.DELETE('/v1/session'));
      keepConsoleSecret(null);
      client.setQueryData(keys.session, null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
    } catch (error) {
      toast(error instanceof Error ? error.message : 'Signing out failed.');
    }
  };
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="This session"
      footer={
        <>
          <Button onClick={props.onPalette}>Do or jump to…</Button>
          <Button onClick={props.onTheme}>{props.isDark ? 'Light theme' : 'Dark theme'}</Button>
          <span className="grow" />
          <Button onClick={props.onClose}>Close</Button>
          <Button look="danger" onClick={() => void signOut()}>
            Sign out
          </Button>
        </>
      }
    >
      <dl className="key-values">
        <dt>Role</dt>
        <dd>{session.role}</dd>
        <dt>Token</dt>
        <dd className="mono">{session.name}</dd>
        <dt>Ends</dt>
        <dd>{session.expiresAt === null ? 'with its token' : dateAndTime(session.expiresAt)}</dd>
        {seesAll ? (
          <>
            <dt>Machinery</dt>
            <dd>
              <Link className="link" href="/ops" onClick={props.onClose}>
                Operations
              </Link>
            </dd>
          </>
        ) : null}
        <dt>Clock</dt>
        <dd>
          <Link className="link" href="/schedules" onClick={props.onClose}>
            Schedules
          </Link>
        </dd>
        {mayAct ? (
          <>
            <dt>From outside</dt>
            <dd>
              <Link className="link" href="/triggers" onClick={props.onClose}>
                Triggers
              </Link>
            </dd>
          </>
        ) : null}
        {mayAct ? (
          <>
            <dt>Settings</dt>
            <dd>
              <Link className="link" href="/settings/tokens" onClick={props.onClose}>
                Tokens, principals, security
              </Link>
            </dd>
          </>
        ) : null}
        <dt>API</dt>
        <dd>
          <a className="link" href="/docs/">
            Documentation
          </a>
        </dd>
      </dl>
    </Dialog>
  );
}
