import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeToken, tokensQuery } from '../../api/access.ts';
import { usePolling } from '../../api/operations.ts';
import type { Token } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Since } from '../../components/since.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconKey, IconPlus } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useNow } from '../../live/now.ts';
import { useSession } from '../../session/session-context.tsx';
import { dateAndTime } from '../../view/format.ts';
import { byState, endTone, idleTone, mayText, tokenState } from '../../view/token-form.ts';
import { toneClass } from '../../view/tone.ts';
import { Day } from './day.tsx';
import { Loaded } from './loaded.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RoleTag } from './role-tag.tsx';
import { SettingsHead } from './settings-head.tsx';
import { SettingsTable } from './settings-table.tsx';

/** The service writes a token's last use to the minute. */
const EVERY_MS = 30_000;

const columns = ['Token', 'Role', 'May', 'Workspaces', 'Last used', 'Ends', 'Made by', null];

/** Tokens that the viewer could have made, with what bounds them. */
export function TokensTab() {
  const client = useQueryClient();
  const isOffline = useIsOffline();
  const tokens = useQuery({ ...tokensQuery, ...usePolling(EVERY_MS) });
  const [dialog, setDialog] = useState<'new' | Token | null>(null);
  const close = () => setDialog(null);
  const reread = () => void client.invalidateQueries({ queryKey: ['access'] });
  return (
    <>
      <SettingsHead>
        <Button look="primary" disabled={isOffline} onClick={() => setDialog('new')}>
          <IconPlus size={14} stroke={1.75} aria-hidden="true" />
          New token
        </Button>
      </SettingsHead>
      <Loaded what="The tokens" query={tokens}>
        {(items) => <Tokens tokens={items} onRevoke={setDialog} />}
      </Loaded>
      {dialog === 'new' ? <NewTokenDialog onMade={reread} onClose={close} /> : null}
      {dialog !== null && dialog !== 'new' ? (
        <RevokeDialog token={dialog} onDone={reread} onClose={close} />
      ) : null}
    </>
  );
}

function Tokens(props: {
  readonly tokens: readonly Token[];
  readonly onRevoke: (token: Token) => void;
}) {
  const now = useNow();
  const { valid, ended } = byState(props.tokens, now);
  return (
    <>
      {valid.length === 0 ? (
        <StateBox
          icon={<IconKey size={28} stroke={1.4} aria-hidden="true" />}
          title="No token beside those of the settings"
          text="A token lets a program or a person in, with a role, workspaces and an end."
        />
      ) : (
        <SettingsTable label="Tokens" columns={columns}>
          {valid.map((token) => (
            <TokenRow key={token.name} token={token} now={now} onRevoke={props.onRevoke} />
          ))}
        </SettingsTable>
      )}
      <p className="text-small text-muted settings-note">
        A token is shown once, when it is made; only its hash is kept. Orange: unused for 60 days,
        or ends within a week. Tokens of the service’s settings (GOALKEEPER_TOKENS) are not listed:
        they end there.
      </p>
      {ended.length === 0 ? null : (
        <details className="settings-more">
          <summary>{ended.length} that ended</summary>
          <SettingsTable label="Tokens that ended" columns={columns}>
            {ended.map((token) => (
              <TokenRow key={token.name} token={token} now={now} onRevoke={null} />
            ))}
          </SettingsTable>
        </details>
      )}
    </>
  );
}

function TokenRow(props: {
  readonly token: Token;
  readonly now: number;
  readonly onRevoke: ((token: Token) => void) | null;
}) {
  const { token, now, onRevoke } = props;
  const { name, role, workspaces, templates, lastUsedAt, expiresAt, createdBy, createdAt } = token;
  const isOffline = useIsOffline();
  const isOver = onRevoke === null;
  return (
    <tr>
      <td className="mono break">{name}</td>
      <td>
        <RoleTag role={role} />
      </td>
      <td className="text-secondary" data-label="May">
        {templates === null ? mayText[role] : `start ${templates.join(', ')}, pause`}
      </td>
      <td className="break" data-label="Workspaces">
        {workspaces === null ? 'all' : workspaces.join(', ')}
      </td>
      <td className={isOver ? '' : toneClass(idleTone(token, now))} data-label="Last used">
        {lastUsedAt === null ? 'never' : <Since at={lastUsedAt} suffix=" ago" />}
      </td>
      <td className={isOver ? '' : toneClass(endTone(token, now))} data-label="Ends">
        {isOver ? (
          <Ended token={token} now={now} />
        ) : expiresAt === null ? (
          <span className="text-muted">never</span>
        ) : (
          <Day at={expiresAt} />
        )}
      </td>
      <td className="mono break" data-label="Made by">
        <span title={dateAndTime(createdAt)}>{createdBy}</span>
      </td>
      <td className="settings-act">
        {onRevoke === null ? null : (
          <Button
            look="subtle"
            isSmall
            disabled={isOffline}
            aria-label={`Revoke ${name}`}
            onClick={() => onRevoke(token)}
          >
            Revoke…
          </Button>
        )}
      </td>
    </tr>
  );
}

function Ended({ token, now }: { readonly token: Token; readonly now: number }) {
  const { revokedAt, revokedBy, expiresAt } = token;
  const isRevoked = tokenState(token, now) === 'revoked';
  const at = isRevoked ? revokedAt : expiresAt;
  return (
    <>
      <span className="tag">{isRevoked ? 'revoked' : 'expired'}</span>{' '}
      {at === null ? null : <Day at={at} />}
      {isRevoked ? <span className="mono text-muted"> {revokedBy}</span> : null}
    </>
  );
}

function RevokeDialog(props: {
  readonly token: Token;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { name } = props.token;
  const isOwn = useSession().name === name;
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke the token"
      busy="Revoking…"
      act={async () => `${(await revokeToken(name)).name} is revoked.`}
      onDone={props.onDone}
      onClose={props.onClose}
    >
      <p>
        It stops working at once, with its sessions and open event streams. What it did stays in the
        record, tokens that it made stay valid, and no other token gets its name.
      </p>
      {isOwn ? (
        <p className="note tone-warn">
          <b>You are signed in by it.</b> This session ends with it.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
