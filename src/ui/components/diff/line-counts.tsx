/** How many lines came and went. */
export function LineCounts({
  counts: { added, removed },
}: {
  readonly counts: { readonly added: number; readonly removed: number };
}) {
  return (
    <span className="line-counts">
      <span className="lines-added">+{added}</span>{' '}
      <span className="lines-removed">−{removed}</span>
    </span>
  );
}
