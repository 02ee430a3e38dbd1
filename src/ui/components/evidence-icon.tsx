import type { ReactNode } from 'react';
import { type EvidenceState, evidenceWords } from '../view/evidence.ts';

const shapes: Readonly<Record<EvidenceState, ReactNode>> = {
  proved: (
    <>
      <circle cx="8" cy="8" r="7" fill="var(--ok-fill)" />
      <path
        d="m5 8.2 2.1 2.1L11 6.3"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  holds: (
    <>
      <rect
        x="1.4"
        y="1.4"
        width="13.2"
        height="13.2"
        rx="3"
        fill="var(--keeper-bg)"
        stroke="var(--keeper-line)"
        strokeWidth="1.8"
      />
      <path d="M6 5v6M10 5v6" stroke="var(--keeper-text)" strokeWidth="1.9" strokeLinecap="round" />
    </>
  ),
  here: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="var(--mute-fill)" />
      <path
        d="m5.2 8.2 1.9 1.9 3.7-3.8"
        stroke="var(--mute-fill)"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  stale: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.2"
        stroke="var(--warn-fill)"
        strokeWidth="1.8"
        strokeDasharray="2.6 1.9"
      />
      <path d="M8 5v3.2l2 1.2" stroke="var(--warn-fill)" strokeLinecap="round" />
    </>
  ),
  doing: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="var(--k-work)" />
      <path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="var(--k-work)" />
    </>
  ),
  open: <circle cx="8" cy="8" r="6.2" stroke="var(--mute-fill)" />,
  dropped: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="var(--mute-fill)" />
      <path d="M5 8h6" stroke="var(--mute-fill)" />
    </>
  ),
  failed: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="var(--bad-fill)" />
      <path d="m6 6 4 4M10 6l-4 4" stroke="var(--bad-fill)" strokeLinecap="round" />
    </>
  ),
  waiting: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.8"
        fill="var(--keeper)"
        stroke="var(--keeper-line)"
        strokeWidth="1.2"
      />
      <path
        d="M8 4.6v4M8 11.2v.01"
        stroke="var(--on-keeper)"
        strokeWidth="1.9"
        strokeLinecap="round"
      />
    </>
  ),
};

/** A shape a state: colour alone says nothing. */
export function EvidenceIcon({
  state,
  label = evidenceWords[state],
}: {
  readonly state: EvidenceState;
  /** Instead of the state's own word. */
  readonly label?: string;
}) {
  return (
    <svg
      className="evidence-icon"
      viewBox="0 0 16 16"
      role="img"
      aria-label={label}
      fill="none"
      strokeWidth="1.6"
    >
      {shapes[state]}
    </svg>
  );
}
