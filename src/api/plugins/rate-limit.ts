import rateLimit from '@fastify/rate-limit';
import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';

/** Limits only the routes whose `config` asks for it. */
export function addRateLimit(application: Application): void {
  application.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Refusal('rate_limited', `Too many attempts; try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    },
  });
}
