import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSessions, openSessionsQuery } from '../../api/access.ts';
import { usePolling } from '../../api/operations.ts';
import type { OpenSession } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Since } from '../../components/since.tsx';
import { IconCheck, IconDeviceLaptop } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useSession } from '../../session/session-context.tsx';
import { clock, dateAndTime, day, plural } from '../../view/format.ts';
import { roleActs } from '../../view/role-acts.ts';
import { rolesUpTo } from '../../view/token-form.ts';
import { Loaded } from './loaded.tsx';
import { RoleTag } from './role-tag.tsx';
import { SettingsHead } from './settings-head.tsx';
import { SettingsTable } from './settings-table.tsx';

const EVERY_MS = 30_000;

const columns = ['Principal', 'Role', 'Workspaces', 'Signed in by', 'Since', 'Ends', null];

/** Whose browsers are signed in, and what each role may. */
export function PrincipalsTab() {
  const client = useQueryClient();
  const sessions = useQuery({ ...openSessionsQuery, ...usePolling(EVERY_MS) });
  const [ending, setEnding] = useState<string | null>(null);
  const reread = () => void client.invalidateQueries({ queryKey: ['access'] });
  return (
    <>
      <SettingsHead />
      <h2 className="settings-part">Signed-in browsers</h2>
      <Loaded what="The sessions" query={sessions}>
        {(items) =>
          items.length === 0 ? (
            <p className="settings-note text-muted">
              <IconDeviceLaptop size={14} stroke={1.75} aria-hidden="true" /> No browser of anybody
              who may no more than you is signed in.
            </p>
          ) : (
            <SettingsTable label="Signed-in browsers" columns={columns}>
              {byName(items).map(({ session, isFirst }) => (
                <SessionRow
                  key={`${session.name} ${session.since}`}
                  session={session}
                  onEnd={isFirst ? setEnding : null}
                />
              ))}
            </SettingsTable>
          )
        }
      </Loaded>
      <h2 className="settings-part">What a role may</h2>
      <Roles />
      <p className="text-small text-muted settings-note">
        An agent sees the goals that it started, and their delegates; whoever is bound to workspaces
        sees what works there.
      </p>
      {ending === null ? null : (
        <EndDialog
          name={ending}
          browsers={sessions.data?.filter(({ name }) => name === ending).length ?? 0}
          onDone={reread}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}

/** Browsers of one principal stand together; they end together, too. */
function byName(sessions: readonly OpenSession[]) {
  const sorted = sessions.toSorted((one, other) => one.name.localeCompare(other.name));
  return sorted.map((session, index) => ({
    session,
    isFirst: sorted[index - 1]?.name !== session.name,
  }));
}

function SessionRow(props: {
  readonly session: OpenSession;
  /** null = it ends with another row's. */
  readonly onEnd: ((name: string) => void) | null;
}) {
  const { onEnd } = props;
  const { name, role, workspaces, signedInBy, since, expiresAt } = props.session;
  const isOffline = useIsOffline();
  const isOwn = useSession().name === name;
  return (
    <tr>
      <td className="mono break">
        {name} {isOwn ? <span className="tag">you</span> : null}
      </td>
      <td>
        <RoleTag role={role} />
      </td>
      <td className="break" data-label="Workspaces">
        {workspaces === null ? 'all' : workspaces.join(', ')}
      </td>
      <td data-label="Signed in by">{signedInBy === 'token' ? 'a token' : 'the provider'}</td>
      <td data-label="Since">
        <Since at={since} suffix=" ago" />
      </td>
      <td className="tabular" data-label="Ends">
        <time dateTime={expiresAt} title={dateAndTime(expiresAt)}>
          {day(expiresAt)} {clock(expiresAt)}
        </time>
      </td>
      <td className="settings-act">
        {onEnd === null ? null : (
          <Button
            look="subtle"
            isSmall
            disabled={isOffline}
            aria-label={`Sign ${name} out`}
            onClick={() => onEnd(name)}
          >
            Sign out…
          </Button>
        )}
      </td>
    </tr>
  );
}

function EndDialog(props: {
  readonly name: string;
  readonly browsers: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { name } = props;
  const isOwn = useSession().name === name;
  return (
    <ConfirmDialog
      title={`Sign ${name} out?`}
      confirm="Sign out everywhere"
      busy="Signing out…"
      act={async () => `${plural((await endSessions(name)).ended, 'session')} of ${name} ended.`}
      onDone={props.onDone}
      onClose={props.onClose}
    >
      <p>
        {props.browsers === 1 ? 'Its browser is' : `All ${props.browsers} of its browsers are`}{' '}
        signed out at once, with open event streams and unused sign-in codes. A token stays valid:
        revoke it to keep it out.
      </p>
      {isOwn ? (
        <p className="note tone-warn">
          <b>This is you.</b> You sign in again afterwards.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}

function Roles() {
  return (
    <SettingsTable
      label="What a role may"
      columns={['May', ...rolesUpTo('admin')]}
      isDense
      isNarrow
    >
      {roleActs.map(({ words, roles }) => (
        <tr key={words}>
          <th scope="row">{words}</th>
          {rolesUpTo('admin').map((role) => (
            <td key={role} data-label={role}>
              {roles.includes(role) ? (
                <>
                  <IconCheck size={14} stroke={2} aria-hidden="true" />
                  <span className="visually-hidden">yes</span>
                </>
              ) : (
                <span className="text-muted">no</span>
              )}
            </td>
          ))}
        </tr>
      ))}
    </SettingsTable>
  );
}
