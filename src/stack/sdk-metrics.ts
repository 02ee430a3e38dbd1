import type { PrometheusMetricsExporter } from '@temporalio/worker';
import { tryPort } from './ports.ts';

export interface SdkMetrics {
  /** For the SDK's runtime. */
  readonly exporter: PrometheusMetricsExporter;
  /** In Prometheus' text format; empty where the SDK doesn't answer. */
  text(): Promise<string>;
}

const PATIENCE_MS = 2000;

/**
 * What Temporal's SDK counts of its pollers, slots, tasks and requests. It tells that by a server of
 * its own, here on the loopback, whose text goes out with a worker's own; null = no port is free.
 */
export async function openSdkMetrics(): Promise<SdkMetrics | null> {
  const port = await tryPort(0);
  if (port === null) return null;
  const address = `127.0.0.1:${port}`;
  return {
    exporter: {
      prometheus: {
        bindAddress: address,
        ...{ countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      },
    },
    async text() {
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        return await (await fetch(`http://${address}/metrics`, { signal })).text();
      } catch {
        return '';
      }
    },
  };
}
