import type { EvidenceState } from '../../view/evidence.ts';
import type { Requirement } from '../../view/requirements.ts';

const fills: Readonly<Record<EvidenceState, string>> = {
  proved: 'var(--ok-fill)',
  holds: 'var(--keeper)',
  here: 'none',
  stale: 'url(#hatched)',
  waiting: 'var(--keeper)',
  failed: 'var(--bad-fill)',
  doing: 'var(--k-work)',
  open: 'none',
  dropped: 'none',
};

const ROWS = 3;
const WIDTH = 72;
const HEIGHT = 14;

/** A cell for each requirement of the gate. */
export function GateArt({ requirements }: { readonly requirements: readonly Requirement[] }) {
  const proved = requirements.filter(({ state }) => state === 'proved').length;
  const columns = Math.max(1, Math.ceil(requirements.length / ROWS));
  const width = WIDTH / columns;
  return (
    <svg
      className="gate-art"
      viewBox="0 0 88 60"
      role="img"
      aria-label={`${proved} of ${requirements.length} requirements proved`}
    >
      <defs>
        <pattern
          id="hatched"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2" height="4" fill="var(--warn-fill)" />
        </pattern>
      </defs>
      {requirements.map(({ id, kind, state }, index) => (
        <rect
          key={`${kind}${id}`}
          x={9 + (index % columns) * width}
          y={10 + Math.floor(index / columns) * (HEIGHT + 1)}
          width={Math.max(0.5, width - 2)}
          height={HEIGHT - 1}
          rx="1.5"
          fill={fills[state]}
          stroke={
            state === 'here'
              ? 'var(--mute-fill)'
              : state === 'holds'
                ? 'var(--keeper-line)'
                : fills[state] === 'none'
                  ? 'var(--line-2)'
                  : state === 'stale'
                    ? 'var(--warn-fill)'
                    : 'none'
          }
        />
      ))}
      <path
        d="M5 58V6h78v52"
        fill="none"
        stroke="var(--text)"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </svg>
  );
}
