import { Link } from 'wouter';
import type { ChangedHunk } from '../../api/types.ts';
import { Receipt } from '../../components/receipt.tsx';

/** Most calls that are named beside a hunk. */
const SHOWN = 3;

/** Who wrote a hunk, and what that made stale, as far as the record tells. */
export function HunkFacts({
  goalId,
  hunk: { turns, rows, unknown, madeStale },
}: {
  readonly goalId: string;
  readonly hunk: ChangedHunk;
}) {
  const hasCommand = rows.some(({ tool }) => tool === 'run_command');
  return (
    <span className="hunk-facts">
      {turns.map((turn) => (
        <Link
          key={turn}
          className="text-link"
          href={`/goals/${goalId}?turn=${turn}`}
          title="Open the turn that wrote this"
        >
          turn {turn}
        </Link>
      ))}
      {rows.slice(0, SHOWN).map(({ seq }) => (
        <Receipt key={seq} seq={seq} />
      ))}
      {rows.length > SHOWN ? <span className="text-muted">+{rows.length - SHOWN}</span> : null}
      {hasCommand ? (
        <span className="tag" title="The file changed while a command ran">
          by a command
        </span>
      ) : null}
      {unknown === null ? null : (
        <span className="tag" title={unknown}>
          {rows.length === 0 ? 'writer unknown' : 'partly unknown'}
        </span>
      )}
      {madeStale.length > 0 ? (
        <span className="tag tone-warn" title="Runs of these are older than this write">
          made stale: {madeStale.join(', ')}
        </span>
      ) : null}
      {madeStale.length === 0 && rows.length > 0 ? (
        <span className="tag">nothing stale</span>
      ) : null}
    </span>
  );
}
