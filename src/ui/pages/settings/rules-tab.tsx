import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { revokeRule, rulesQuery } from '../../api/access.ts';
import type { StoredRule } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconChecklist } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { Day } from './day.tsx';
import { Loaded } from './loaded.tsx';
import { SettingsHead } from './settings-head.tsx';
import { SettingsTable } from './settings-table.tsx';

const columns = ['Always', 'Workspace', 'Made by', 'Made', 'Asked by', null];

/** What people let run for good, by workspace. */
export function RulesTab() {
  const client = useQueryClient();
  const rules = useQuery(rulesQuery);
  const [asked, setAsked] = useState<StoredRule | null>(null);
  return (
    <>
      <SettingsHead />
      <Loaded what="The rules" query={rules}>
        {(items) => <Rules rules={items} onRevoke={setAsked} />}
      </Loaded>
      {asked === null ? null : (
        <ConfirmDialog
          title="Revoke this rule?"
          confirm="Revoke the rule"
          busy="Revoking…"
          act={async () => {
            const { workspace } = await revokeRule(asked.ruleId);
            return `Revoked: goals of ${workspace} ask again.`;
          }}
          onDone={() => void client.invalidateQueries({ queryKey: rulesQuery.queryKey })}
          onClose={() => setAsked(null)}
        >
          <p className="mono break">{asked.says}</p>
          <p>
            From the next such call on, goals of {asked.workspace} wait for a person again. What ran
            by the rule stays in their ledgers.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Rules(props: {
  readonly rules: readonly StoredRule[];
  readonly onRevoke: (rule: StoredRule) => void;
}) {
  const holding = props.rules.filter(({ revokedAt }) => revokedAt === null);
  const ended = props.rules.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      {holding.length === 0 ? (
        <StateBox
          icon={<IconChecklist size={28} stroke={1.4} aria-hidden="true" />}
          title="No rule"
          text="“Always” as the answer to a call that waits for you makes one, for its workspace."
        />
      ) : (
        <SettingsTable label="Rules" columns={columns}>
          {holding.map((rule) => (
            <RuleRow key={rule.ruleId} rule={rule} onRevoke={props.onRevoke} />
          ))}
        </SettingsTable>
      )}
      <p className="text-small text-muted settings-note">
        A rule lets the same call run without a question, in every goal of its workspace. What
        policies deny stays denied. Rules of files and settings are not listed: they end there.
      </p>
      {ended.length === 0 ? null : (
        <details className="settings-more">
          <summary>{ended.length} that ended</summary>
          <SettingsTable label="Rules that ended" columns={columns}>
            {ended.map((rule) => (
              <RuleRow key={rule.ruleId} rule={rule} onRevoke={null} />
            ))}
          </SettingsTable>
        </details>
      )}
    </>
  );
}

function RuleRow(props: {
  readonly rule: StoredRule;
  readonly onRevoke: ((rule: StoredRule) => void) | null;
}) {
  const { rule, onRevoke } = props;
  const isOffline = useIsOffline();
  return (
    <tr>
      <td className="mono break">{rule.says}</td>
      <td className="break" data-label="Workspace">
        {rule.workspace}
      </td>
      <td className="mono break" data-label="Made by">
        {rule.madeBy}
      </td>
      <td data-label="Made">
        <Day at={rule.madeAt} />
      </td>
      <td className="mono" data-label="Asked by">
        <Link className="link" href={`/goals/${rule.goalId}`}>
          {rule.goalId}
        </Link>
      </td>
      <td className="settings-act">
        {onRevoke === null ? (
          <span className="text-small text-muted">
            revoked {rule.revokedAt === null ? null : <Day at={rule.revokedAt} />} by{' '}
            <span className="mono">{rule.revokedBy}</span>
          </span>
        ) : (
          <Button
            look="subtle"
            isSmall
            disabled={isOffline}
            aria-label={`Revoke ${rule.says}`}
            onClick={() => onRevoke(rule)}
          >
            Revoke…
          </Button>
        )}
      </td>
    </tr>
  );
}
