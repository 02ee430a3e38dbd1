import { Refusal } from '../contract/failures.ts';

const DAY_MS = 86_400_000;

/** The range ends now and begins `days` before by default. */
export function rangeOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  days: number,
  mostDays: number,
): { from: string; to: string } {
  const to = asked.to === undefined ? Date.now() : Date.parse(asked.to);
  const from = asked.from === undefined ? to - days * DAY_MS : Date.parse(asked.from);
  const refuse = (detail: string) => new Refusal('invalid_request', detail, { field: 'from' });
  if (from >= to) throw refuse('It has to lie before the end.');
  if (to - from > mostDays * DAY_MS) throw refuse(`At most ${mostDays} days at once.`);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
