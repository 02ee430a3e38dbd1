import type { Proof } from '../view/evidence.ts';

/** More than these are one bar a state: single pips could not be told apart. */
const MOST_PIPS = 40;

/** One pip for each thing that the gate asks for. */
export function ProofPips({ proof }: { readonly proof: Proof }) {
  const { proved, here, holds, stale, failed, open, total } = proof;
  const label = `${proved} of ${total} proved, ${here + holds} met and not proved, ${stale} stale, ${failed} failed, ${open} open`;
  const parts = [
    ['proved', proved],
    ['holds', holds],
    ['here', here],
    ['stale', stale],
    ['failed', failed],
    ['open', open],
  ] as const;
  const isBar = total > MOST_PIPS;
  return (
    <span className={`pips ${total > 16 ? 'many' : ''}`} role="img" aria-label={label}>
      {parts.flatMap(([state, count]) => {
        if (count === 0) return [];
        if (isBar) return [<i key={state} className={state} style={{ flexGrow: count }} />];
        return Array.from({ length: count }, (_, index) => `${state} ${index}`).map((key) => (
          <i key={key} className={state} />
        ));
      })}
    </span>
  );
}
