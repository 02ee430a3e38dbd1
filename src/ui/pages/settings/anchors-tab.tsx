import { useQuery } from '@tanstack/react-query';
import { anchorsQuery, verifyAnchors } from '../../api/access.ts';
import { usePolling } from '../../api/operations.ts';
import type { AnchorState, AnchorVerdict } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { Since } from '../../components/since.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconAnchor, IconShieldCheck } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useSeesLog } from '../../session/session-context.tsx';
import { anchorVerdictText, anchorVerdictTone, targetState } from '../../view/anchor-text.ts';
import { dateAndTime } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';
import { Loaded } from './loaded.tsx';
import { SettingsHead } from './settings-head.tsx';
import { SettingsTable } from './settings-table.tsx';

const EVERY_MS = 15_000;

/** The newest signed head of the record, and the places outside that keep it. */
export function AnchorsTab() {
  const isOffline = useIsOffline();
  const mayVerify = useSeesLog();
  const state = useQuery({ ...anchorsQuery, ...usePolling(EVERY_MS) });
  const verify = useAct({ mutationFn: verifyAnchors });
  const hasPlaces = state.data !== undefined && state.data.targets.length > 0;
  return (
    <>
      <SettingsHead>
        {mayVerify && hasPlaces ? (
          <Button disabled={verify.isPending || isOffline} onClick={() => verify.mutate()}>
            <IconShieldCheck size={14} stroke={1.75} aria-hidden="true" />
            {verify.isPending ? 'Comparing…' : 'Verify now'}
          </Button>
        ) : null}
      </SettingsHead>
      <div role="status" className="anchor-verdict">
        {verify.isError ? <p className="field-error">{verify.error.message}</p> : null}
        {verify.data === undefined ? null : <Verdict verdict={verify.data} />}
      </div>
      <Loaded what="The anchors" query={state}>
        {(known) => (known.targets.length === 0 ? <NoPlace /> : <Places state={known} />)}
      </Loaded>
    </>
  );
}

function NoPlace() {
  return (
    <StateBox
      icon={<IconAnchor size={28} stroke={1.4} aria-hidden="true" />}
      title="No place keeps the record’s heads"
      text="A signed head outside of the database tells whether the record was put back or rewritten. Name places by GOALKEEPER_ANCHORS for workers and API: a file, a git ref or a webhook. GOALKEEPER_LEDGER_KEY signs them."
      code="GOALKEEPER_ANCHORS=file:/mnt/worm/goalkeeper"
    />
  );
}

function Verdict({ verdict }: { readonly verdict: AnchorVerdict }) {
  const { at, size, faults, wayOut } = verdict;
  return (
    <>
      <p>
        <span className={`tag ${toneClass(anchorVerdictTone(verdict))}`}>
          {anchorVerdictText(verdict)}
        </span>{' '}
        {at === null ? null : (
          <span className="text-small text-muted">
            the newest is of {dateAndTime(at)}, size {size}
          </span>
        )}
      </p>
      <ul className="plain-list text-small break">
        {faults.map((one) => (
          <li key={`${one.size} ${one.fault} ${one.subject ?? ''} ${one.problem}`}>
            <span className="tag tone-bad">{one.fault.replace('_', ' ')}</span> {one.problem}
          </li>
        ))}
      </ul>
      {wayOut === undefined ? null : <p className="text-small">{wayOut}</p>}
    </>
  );
}

function Places({ state: { head, targets } }: { readonly state: AnchorState }) {
  return (
    <>
      <h2 className="settings-part">Newest head</h2>
      {head === null ? (
        <p className="settings-note text-muted">None yet: the first goal or entry makes one.</p>
      ) : (
        <dl className="key-values settings-facts">
          <dt>Made</dt>
          <dd>
            {dateAndTime(head.at)} (<Since at={head.at} suffix=" ago" />)
          </dd>
          <dt>Leaves</dt>
          <dd className="tabular">{head.size}</dd>
          <dt>Root</dt>
          <dd className="mono">{head.root}</dd>
        </dl>
      )}
      <h2 className="settings-part">Places</h2>
      <SettingsTable label="Places" columns={['Place', 'State', 'Has', 'Last taken', 'Problem']}>
        {targets.map((target) => {
          const { words, tone } = targetState(target);
          return (
            <tr key={target.target}>
              <td className="mono break">{target.target}</td>
              <td>
                <span className={`tag ${toneClass(tone)}`}>{words}</span>
              </td>
              <td className="tabular" data-label="Has">
                {target.size ?? 'none'}
              </td>
              <td data-label="Last taken">
                {target.at === null ? 'never' : <Since at={target.at} suffix=" ago" />}
              </td>
              <td className="break" data-label="Problem">
                {target.error ?? <span className="text-muted">none</span>}
              </td>
            </tr>
          );
        })}
      </SettingsTable>
      <p className="text-small text-muted settings-note">
        “Verify now” compares the database with what files and git refs keep. By a copy of your own:{' '}
        <span className="mono">goalkeeper anchors verify --anchor COPY</span>
      </p>
    </>
  );
}
