import { useState } from 'react';
import { Link } from 'wouter';
import type { Goal } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { lazyView } from '../../components/lazy-view.tsx';
import { Receipt } from '../../components/receipt.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { clock, plural } from '../../view/format.ts';
import { shownName } from '../../view/shown-name.ts';

const ResultChanges = lazyView(
  'The changes',
  <SkeletonLines label="Loading the changes" widths={[70, 50, 60]} />,
  async () => (await import('./result-changes.tsx')).ResultChanges,
);

const words = {
  verified: 'Verified: the host itself checked it',
  supported: 'Supported by receipts, not by a check that was unmet before',
  accepted_by_person: 'Accepted by a person',
} as const;

const MOST_RECEIPTS = 8;

/** How it ended, and what speaks for it. */
export function Result({ goal }: { readonly goal: Goal }) {
  const { completion } = goal;
  if (completion === undefined) return null;
  return (
    <div className="pane-section">
      <h2>
        {completion.source === 'person' ? 'Completed by hand' : 'Result'}
        <span className="pane-note">{clock(completion.at)}</span>
      </h2>
      {completion.coverage === undefined ? null : (
        <p className="text-small">{completion.coverage.statement}.</p>
      )}
      <p className="pre-wrap">{completion.result}</p>
      {completion.command === undefined ? null : (
        <p className="text-small">
          Shown by <code>{completion.command}</code>
        </p>
      )}
      <p className="text-small text-muted facts">
        {completion.source === 'person'
          ? 'By the word of a person, not by proof.'
          : words[completion.verification]}
        .
      </p>
      {completion.receipts.length === 0 ? null : (
        <p className="receipt-row text-small">
          {completion.receipts.slice(0, MOST_RECEIPTS).map((seq) => (
            <Receipt key={seq} seq={seq} />
          ))}
        </p>
      )}
      <ChangedFiles goalId={goal.goalId} files={completion.changedFiles} />
      {completion.verification === 'verified' ? (
        <p className="row">
          <Link className={buttonClass({ isSmall: true })} href={`/goals/${goal.goalId}/proof`}>
            The proof
          </Link>
          <CopyButton text={`goalkeeper pr ${goal.goalId}`} words="Copy goalkeeper pr" isSmall />
        </p>
      ) : null}
    </div>
  );
}

/** Longer lists are read where the changes stand. */
const MOST_FILES = 50;

/** Each opens to its lines. */
function ChangedFiles(props: { readonly goalId: string; readonly files: readonly string[] }) {
  const { goalId, files } = props;
  const [isOpen, setOpen] = useState(false);
  if (files.length === 0) return null;
  return (
    <details className="result-files" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-small">{plural(files.length, 'changed file')}</summary>
      {isOpen ? (
        <ResultChanges goalId={goalId} mostFiles={MOST_FILES}>
          <ul>
            {files.slice(0, MOST_FILES).map((path) => (
              <li key={path} className="mono truncate" title={shownName(path)}>
                {shownName(path)}
              </li>
            ))}
          </ul>
        </ResultChanges>
      ) : null}
      <Link className="link text-small" href={`/goals/${goalId}/changes`}>
        All changes
      </Link>
    </details>
  );
}
