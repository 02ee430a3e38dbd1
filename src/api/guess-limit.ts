import { Refusal } from '../contract/failures.ts';
import { hashOfSecret } from './session-cookie.ts';

/** Refused tokens of one address; far below what guessing needs. */
const MOST_GUESSES = 20;
const WINDOW_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Runs `look` unless its address has guessed too often. @throws Refusal rate_limited */
export type GuessLimit = <Known>(
  address: string,
  secret: string,
  look: () => Promise<Known>,
) => Promise<Known>;

/**
 * Limits refused tokens per address. One that was let in from there before is still looked at:
 * otherwise a program could lock out all others of its machine, or behind its proxy. A new one is
 * not, so that the limit hides whether it was right.
 */
export function createGuessLimit(): GuessLimit {
  const guesses = new Map<string, { count: number; readonly until: number }>();
  const letIn = new Set<string>();
  const underWay = new Map<string, Promise<unknown>>();
  const limited: GuessLimit = async (address, secret, look) => {
    const now = Date.now();
    const known = `${address} ${hashOfSecret(secret)}`;
    // One secret is one guess, however often it is presented at once.
    await underWay.get(known)?.catch(() => {});
    const found = guesses.get(address);
    const own =
      found === undefined || found.until <= now ? { count: 0, until: now + WINDOW_MS } : found;
    if (own.count >= MOST_GUESSES && !letIn.has(known)) {
      const seconds = Math.ceil((own.until - now) / 1000);
      throw new Refusal('rate_limited', `Too many unknown tokens; try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    }
    // It counts as a guess until it is known to be none: others come while it is looked at.
    own.count += 1;
    if (guesses.size >= MOST_REMEMBERED) guesses.clear();
    guesses.set(address, own);
    const looking = look();
    underWay.set(known, looking);
    try {
      const principal = await looking;
      own.count -= 1;
      if (letIn.size >= MOST_REMEMBERED) letIn.clear();
      letIn.add(known);
      return principal;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unauthorized') own.count -= 1;
      else letIn.delete(known);
      throw error;
    } finally {
      if (underWay.get(known) === looking) underWay.delete(known);
    }
  };
  return limited;
}
