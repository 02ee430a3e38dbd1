/** One line that a person can read, as the record and a terminal show it. */
const LINE = /^\P{C}{1,120}$/u;

/**
 * What a delivery is about: as its sender's header says it, or as Standard Webhooks have it in the
 * payload. A text that is no readable line is nobody's event.
 */
export function eventOf(told: string | null, payload: unknown): string | null {
  const { type } = (payload ?? {}) as { type?: unknown };
  const event = told ?? type;
  return typeof event === 'string' && LINE.test(event) ? event : null;
}
