import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { runWorker } from '../../app/run-worker.ts';
import { standingConfig } from '../../app/standing-rules.ts';
import { endSoon } from '../../process/end-in-order.ts';
import { onHangUp } from '../../process/hang-up.ts';
import { createLogger } from '../../process/log.ts';
import { openGroups } from '../../sandbox/groups/groups.ts';
import { openSdkMetrics } from '../../stack/sdk-metrics.ts';
import { waitForServers } from '../../stack/wait-for-servers.ts';
import { giveMemoryBackWhenIdle } from '../../temporal/idle-memory.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { sdkLogger } from '../sdk-logger.ts';
import { openWorkerHealth } from '../worker-health.ts';
import { serversOf } from '../worker-servers.ts';

/** Runs goals until SIGTERM or SIGINT; a second signal ends it at once. */
export async function worker(options: { workspace?: string[] }): Promise<ExitCode> {
  const { config, rules, reread } = standingConfig();
  const log = createLogger(config.logLevel, 'worker');
  const groups = openGroups();
  if ('why' in groups) log.info(`memory and processes of commands are counted: ${groups.why}`);
  onHangUp(() => reread(log));
  const { databaseUrl, temporal } = serversOf(config);
  const ending = new AbortController();
  let stopRunning = () => ending.abort();
  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals > 1) process.exit(EXIT.interrupted);
    stopRunning();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const health = await openWorkerHealth(config);
  if (health.port !== null) log.info({ port: health.port }, 'health is answered');
  const onWait = (what: string) => {
    health.waitsFor(what);
    log.warn(`waiting: ${what}`);
  };
  const isReady = await waitForServers(
    { databaseUrl, temporal },
    {
      seconds: config.startSeconds,
      onWait,
      signal: ending.signal,
    },
  );
  if (!isReady) return EXIT.complete;
  const sdk = health.port === null ? null : await openSdkMetrics();
  // The SDK would end the process itself; slices have to end after their current call first.
  Runtime.install({
    shutdownSignals: [],
    logger: sdkLogger(createLogger(config.logLevel, 'temporal')),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(sdk && { metrics: sdk.exporter }),
    },
  });
  const running = await runWorker({
    config: { ...config, databaseUrl },
    rules,
    groups: 'why' in groups ? null : groups,
    temporal,
    workspaces: options.workspace ?? [],
    log,
    starting: { onWait, signal: ending.signal },
  }).catch((failure: unknown) => {
    if (ending.signal.aborted) return null;
    throw failure;
  });
  if (running === null) return EXIT.complete;
  stopRunning = () => running.stop();
  if (ending.signal.aborted) running.stop();
  health.runs(running, sdk);
  const idleness = giveMemoryBackWhenIdle(log);
  await running.done;
  idleness.stop();
  health.close();
  endSoon();
  return EXIT.complete;
}
