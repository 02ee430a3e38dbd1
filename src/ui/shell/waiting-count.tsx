/** How much waits for whoever looks. */
export function WaitingCount({ count }: { readonly count: number }) {
  return (
    <span className="keeper-count">
      {count}
      <span className="visually-hidden"> wait for you</span>
    </span>
  );
}
