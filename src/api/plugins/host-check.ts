import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * The check stops DNS rebinding: a foreign site can point its name at 127.0.0.1 and call the
 * service there as its own origin, but its Host header still names the site.
 */
export function addHostCheck(application: Application): void {
  application.addHook('onRequest', async (request) => {
    const host = request.headers.host ?? '';
    if (loopbackHost.test(host)) return;
    throw new Refusal('forbidden', `This service listens on loopback; "${host}" is not its name.`);
  });
}
