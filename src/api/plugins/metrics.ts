import type { ApiMetrics } from '../../telemetry/api-metrics.ts';
import type { Application } from '../application.ts';

/** Counts each answer by the pattern of its route; streams last as long as somebody looks. */
export function addMetrics(application: Application, metrics: ApiMetrics): void {
  application.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
    const route = routeOptions.url ?? 'none';
    metrics.request({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
  });
}
