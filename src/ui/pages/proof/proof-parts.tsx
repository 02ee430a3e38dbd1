import type { ReactNode } from 'react';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { Receipt } from '../../components/receipt.tsx';
import { IconBan, IconChevronRight, IconShieldCheck, IconUser } from '../../generated/icons.tsx';
import { criterionText } from '../../view/criterion-text.ts';
import type { ProofCriterion, ProofVerdict } from '../../view/proof-verdict.ts';

/** What it says in one look, and what can be done with it. */
export function VerdictHead(props: {
  readonly verdict: ProofVerdict;
  readonly children: ReactNode;
}) {
  const { icon, title, text, facts } = props.verdict;
  return (
    <>
      <header className="proof-verdict">
        <span className="proof-seal">
          <EvidenceIcon state={icon} />
        </span>
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        <div className="proof-acts">{props.children}</div>
      </header>
      <div className="proof-figures">
        {facts.map(({ count, total, name, note }) => (
          <div key={name}>
            <b className="tabular">
              {count ?? '–'}
              {total === undefined || count === null ? null : <small> of {total}</small>}
            </b>
            <span>{name}</span>
            <span className="text-small text-muted">{note}</span>
          </div>
        ))}
      </div>
    </>
  );
}

const CHECKERS = {
  host: ['Host', IconShieldCheck],
  person: ['Person', IconUser],
  nobody: ['Nobody', IconBan],
} as const;

export function Requirements({ verdict }: { readonly verdict: ProofVerdict }) {
  if (verdict.requirements.length === 0) return null;
  return (
    <Part title="Requirements" note="of the objective, and who checks them">
      {verdict.requirements.map(({ requirementId, text, criteria, by }) => {
        const [words, Icon] = CHECKERS[by];
        return (
          <div key={requirementId} className="proof-row checker-row">
            <span className="mono text-muted">{requirementId}</span>
            <span>
              {text}
              <span className="text-small text-muted proof-under">
                {criteria.join(', ') || 'no criterion'}
              </span>
            </span>
            <span className={`proof-checker by-${by}`}>
              <Icon size={14} stroke={1.75} aria-hidden="true" /> {words}
            </span>
          </div>
        );
      })}
    </Part>
  );
}

export function Criteria(props: {
  readonly verdict: ProofVerdict;
  /** What the proof's file says of one. */
  readonly factsOf?: (criterionId: string) => string;
}) {
  return (
    <Part title="Criteria" note="before, and now">
      {props.verdict.criteria.map((one) => (
        <CriterionRow
          key={one.criterion.criterionId}
          shown={one}
          facts={props.factsOf?.(one.criterion.criterionId) ?? ''}
        />
      ))}
    </Part>
  );
}

const TONES = { proved: 'tone-ok', holds: 'keeper-text', failed: 'tone-bad', stale: 'tone-warn' };

/** The newest speak for it; the gate has all. */
const MOST_RECEIPTS = 6;

function CriterionRow(props: { readonly shown: ProofCriterion; readonly facts: string }) {
  const { criterion, before, state, words } = props.shown;
  const { what, isCode } = criterionText(criterion);
  return (
    <div className="proof-row state-row">
      <span className="mono text-muted">{criterion.criterionId}</span>
      <span>
        <span className={isCode ? 'mono' : ''}>{what}</span>
        {props.facts === '' ? null : (
          <span className="text-small text-muted proof-under">{props.facts}</span>
        )}
        {criterion.receipts.length === 0 ? null : (
          <span className="receipt-row">
            {criterion.receipts.slice(0, MOST_RECEIPTS).map((seq) => (
              <Receipt key={seq} seq={seq} />
            ))}
          </span>
        )}
      </span>
      <span className="proof-change">
        <span className="text-muted">{before}</span>
        <IconChevronRight size={14} stroke={1.75} aria-label="then" role="img" />
        <EvidenceIcon state={state} />
        <span className={state in TONES ? TONES[state as keyof typeof TONES] : ''}>{words}</span>
      </span>
    </div>
  );
}

/** Each changed file, taken back alone: does anything notice? */
export function Felt({ felt }: Pick<ProofVerdict, 'felt'>) {
  if (felt === null || felt === undefined) return null;
  const total = felt.felt.length + felt.unfelt.length;
  if (total === 0) return null;
  return (
    <Part title="Felt changes" note="each file put back to its baseline, one at a time">
      <div
        className="felt-bar"
        role="img"
        aria-label={`${felt.felt.length} of ${total} changed files felt`}
      >
        <i className="felt" style={{ flexGrow: felt.felt.length }} />
        <i style={{ flexGrow: felt.unfelt.length }} />
      </div>
      {felt.unfelt.length === 0 ? null : (
        <p className="text-small">
          No criterion feels <span className="mono">{felt.unfelt.slice(0, 20).join(', ')}</span>
          {felt.unfelt.length > 20 ? ` and ${felt.unfelt.length - 20} more` : ''}.
        </p>
      )}
    </Part>
  );
}

export function Beyond({ beyond }: Pick<ProofVerdict, 'beyond'>) {
  if (beyond.length === 0) return null;
  return (
    <Part title="Beyond the scope" note="what the work touched besides">
      {beyond.map(({ name, note, isNeeded }) => (
        <div key={`${name}${note}`} className="proof-row named-row">
          <span className="mono">{name}</span>
          <span className={isNeeded ? 'text-small keeper-text' : 'text-small text-muted'}>
            {note}
          </span>
        </div>
      ))}
    </Part>
  );
}

export function Part(props: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <h3>
        {props.title}{' '}
        {props.note === undefined ? null : <span className="pane-note">{props.note}</span>}
      </h3>
      <div className="proof-table">{props.children}</div>
    </section>
  );
}

export function Panel(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="proof-panel">
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

export function Facts(props: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl>
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
