import type { Application } from '../application.ts';

/**
 * What the service tells is kept in no cache, and is read as nothing but what it says it is, also
 * where a refusal comes before all other headers. Files of the console say for themselves.
 */
export function addNoStore(application: Application): void {
  application.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (!reply.hasHeader('x-content-type-options'))
      reply.header('x-content-type-options', 'nosniff');
  });
}
