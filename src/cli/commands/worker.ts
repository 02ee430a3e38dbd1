import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { runWorker } from '../../app/run-worker.ts';
import { standingConfig } from '../../app/standing-rules.ts';
import { ConfigError } from '../../contract/config.ts';
import { onHangUp } from '../../process/hang-up.ts';
import { createLogger } from '../../process/log.ts';
import { assertMigrated } from '../../stack/migrations.ts';
import { giveMemoryBackWhenIdle } from '../../temporal/idle-memory.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { sdkLogger } from '../sdk-logger.ts';

/** Runs goals until SIGTERM or SIGINT; a second signal ends it at once. */
export async function worker(options: { workspace?: string[] }): Promise<ExitCode> {
  const { config, rules, reread } = standingConfig();
  const log = createLogger(config.logLevel, 'worker');
  onHangUp(() => reread(log));
  const { databaseUrl } = config;
  const { address, namespace, tls } = config.temporal;
  if (databaseUrl === null) throw missing('DATABASE_URL');
  if (address === null) throw missing('TEMPORAL_ADDRESS');
  await assertMigrated(databaseUrl);
  // The SDK would end the process itself; slices have to end after their current call first.
  Runtime.install({
    shutdownSignals: [],
    logger: sdkLogger(createLogger(config.logLevel, 'temporal')),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
  });
  const running = await runWorker({
    config: { ...config, databaseUrl },
    rules,
    temporal: { address, namespace, tls },
    workspaces: options.workspace ?? [],
    log,
  });
  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals > 1) process.exit(EXIT.interrupted);
    running.stop();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const idleness = giveMemoryBackWhenIdle(log);
  await running.done;
  idleness.stop();
  return EXIT.complete;
}

const missing = (variable: string) =>
  new ConfigError(
    variable,
    'is not set',
    'A worker alone needs it; `goalkeeper up` brings its own servers.',
  );
