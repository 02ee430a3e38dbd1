import type { RunningWorker } from '../app/run-worker.ts';
import { type Config, ConfigError } from '../contract/config.ts';
import { type HealthAnswer, listenForHealth } from '../process/health-port.ts';
import type { SdkMetrics } from '../stack/sdk-metrics.ts';

export interface WorkerHealth {
  /** From the start on; null where no port was asked for. */
  readonly port: number | null;
  waitsFor(what: string): void;
  /** @param sdk what Temporal's SDK counts beside it */
  runs(worker: RunningWorker, sdk: Pick<SdkMetrics, 'text'> | null): void;
  close(): void;
}

/**
 * Liveness and readiness of a worker, from before it waits for its servers until it has drained.
 * @throws ConfigError when the port is taken
 */
export async function openWorkerHealth({ host, workerHealthPort }: Config): Promise<WorkerHealth> {
  let worker: RunningWorker | null = null;
  let sdk: Pick<SdkMetrics, 'text'> | null = null;
  let waiting = 'starting';
  let hasFailed = false;
  const health = {
    alive: () => answer(!hasFailed, { status: hasFailed ? 'failed' : 'ok' }),
    async ready() {
      if (worker === null) return answer(false, { status: 'starting', waiting });
      const { polls, postgres, temporal } = await worker.look();
      const checks = { polls, postgres: stateOf(postgres), temporal: stateOf(temporal) };
      const isReady = polls === 'running' && postgres && temporal;
      return answer(isReady, { status: isReady ? 'ok' : 'unavailable', checks });
    },
    async metrics() {
      const [own, ofSdk] = await Promise.all([worker?.metrics() ?? '', sdk?.text() ?? '']);
      return own + ofSdk;
    },
  };
  const listening =
    workerHealthPort === null
      ? null
      : await listenForHealth({ host, port: workerHealthPort }, health).catch((error: Error) => {
          throw new ConfigError(
            'GOALKEEPER_WORKER_HEALTH_PORT',
            `(${workerHealthPort}) can't be listened on at ${host}: ${error.message}`,
            'Give each worker of a host a port of its own, or unset it.',
          );
        });
  return {
    port: listening?.port ?? null,
    waitsFor: (what) => {
      waiting = what;
    },
    runs(started, counted) {
      worker = started;
      sdk = counted;
      started.done.catch(() => {
        hasFailed = true;
      });
    },
    close: () => listening?.close(),
  };
}

const answer = (isGood: boolean, body: HealthAnswer['body']): HealthAnswer => ({ isGood, body });
const stateOf = (isGood: boolean): string => (isGood ? 'ok' : 'unavailable');
