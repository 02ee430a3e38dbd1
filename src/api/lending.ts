import { randomBytes } from 'node:crypto';
import type { Caller } from '../../schema/role.ts';

/** Credentials for calls of the service to itself: each is good for one piece of work. */
export interface Lending {
  lend<Result>(caller: Caller, work: (authorization: string) => Promise<Result>): Promise<Result>;
  /** Null for everything that isn't lent at the moment. */
  find(authorization: string | undefined): Caller | null;
}

export function createLending(): Lending {
  const lent = new Map<string, Caller>();
  return {
    async lend(caller, work) {
      // It never leaves the process, and is as long as any token.
      const authorization = `Bearer ${randomBytes(32).toString('base64url')}`;
      lent.set(authorization, caller);
      try {
        return await work(authorization);
      } finally {
        lent.delete(authorization);
      }
    },
    find: (authorization) => (authorization && lent.get(authorization)) || null,
  };
}
