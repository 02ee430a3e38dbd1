/** A goal, and the ball in it. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--text)" />
      <path d="M5 18.5V7h14v11.5" fill="none" stroke="var(--surface)" strokeWidth="2" />
      <circle cx="12" cy="14.5" r="3.2" fill="var(--keeper)" />
    </svg>
  );
}
