import { type ReactNode, useEffect, useState } from 'react';

/** Shorter waits show nothing: a flash of grey is worse than a moment of calm. */
const DELAY_MS = 200;

export function Delayed({ children }: { readonly children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? children : null;
}

/** Lines where text will be. */
export function SkeletonLines({
  label,
  widths,
}: {
  readonly label: string;
  readonly widths: readonly number[];
}) {
  return (
    <Delayed>
      <div className="skeleton-lines" aria-busy="true" role="status" aria-label={label}>
        {widths.map((width) => (
          <span key={width} className="skeleton" style={{ width: `${width}%` }} />
        ))}
      </div>
    </Delayed>
  );
}
