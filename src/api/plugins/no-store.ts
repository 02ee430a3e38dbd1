import type { Application } from '../application.ts';

/** What the service tells is kept in no cache; files of the console say for themselves. */
export function addNoStore(application: Application): void {
  application.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}
