import { Refusal } from '../../contract/failures.ts';

const MOST_GUESSES = 20;
const WINDOW_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Limits wrong signatures by address. */
export interface HookGuesses {
  /** @throws Refusal rate_limited */
  admit(address: string, triggerId: string): void;
  wrong(address: string): void;
  right(address: string, triggerId: string): void;
}

/**
 * A sender that was right once is always looked at: others behind the same proxy must not keep its
 * deliveries away by guessing. What it presents is 128 bits at least, so guesses lead nowhere.
 */
export function createHookGuesses(now: () => number = Date.now): HookGuesses {
  const guesses = new Map<string, { count: number; readonly until: number }>();
  const known = new Set<string>();
  return {
    admit(address, triggerId) {
      const found = guesses.get(address);
      if (found === undefined || found.until <= now() || found.count < MOST_GUESSES) return;
      if (known.has(`${address} ${triggerId}`)) return;
      const seconds = Math.ceil((found.until - now()) / 1000);
      throw new Refusal('rate_limited', `Too many wrong deliveries; try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    },
    wrong(address) {
      const found = guesses.get(address);
      if (guesses.size >= MOST_REMEMBERED) guesses.clear();
      const isOver = found === undefined || found.until <= now();
      guesses.set(
        address,
        isOver ? { count: 1, until: now() + WINDOW_MS } : { ...found, count: found.count + 1 },
      );
    },
    right(address, triggerId) {
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.add(`${address} ${triggerId}`);
    },
  };
}
