import { vi } from 'vitest';

/** Until it does not throw any more: only what never comes to that is ended. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: 120_000, interval: 50 });
