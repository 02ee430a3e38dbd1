import { standingConfig } from '../../app/standing-rules.ts';
import type { LocalProcess } from '../../contract/process-identity.ts';
import { signalProcess } from '../../process/end-process.ts';
import { onClosedOutput, onHangUp } from '../../process/hang-up.ts';
import { createLogger } from '../../process/log.ts';
import { waitForServers } from '../../stack/wait-for-servers.ts';
import { hurry, startWorkers } from '../../stack/workers.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { handOver } from '../hand-over.ts';
import { endable } from '../until-ended.ts';
import { serversOf } from '../worker-servers.ts';

/**
 * Several workers of one host, each a process that is started again when it dies. Their health
 * ports follow the one that is set.
 */
export async function workers(options: {
  readonly workers: number;
  readonly workspace?: readonly string[];
}): Promise<ExitCode> {
  const { config, reread } = standingConfig();
  const log = createLogger(config.logLevel, 'workers');
  const { databaseUrl, temporal } = serversOf(config);
  const children: Record<string, LocalProcess> = {};
  const { ended, end } = endable(() => hurry(children));
  onClosedOutput(end);
  onHangUp(() => {
    reread(log);
    for (const child of Object.values(children)) signalProcess(child, 'SIGHUP');
  }, end);
  const ending = new AbortController();
  void ended.then(() => ending.abort());
  // Else each of them would wait, give up and be started again, and this process would never exit.
  const isReady = await waitForServers(
    { databaseUrl, temporal },
    {
      seconds: config.startSeconds,
      onWait: (what) => log.warn(`waiting: ${what}`),
      signal: ending.signal,
    },
  );
  if (!isReady) return EXIT.complete;
  const stop = await startWorkers(
    {
      config,
      addresses: { databaseUrl, readerDatabaseUrl: config.readerDatabaseUrl, temporal },
      entry: undefined,
      count: options.workers,
      workspaces: options.workspace ?? [],
      healthPort: config.workerHealthPort,
      logsHere: true,
    },
    { onProgress: (message) => log.info(message), handOver },
    (name, { identity }) => {
      if (identity) children[name] = identity;
    },
  );
  await ended;
  await stop();
  return EXIT.complete;
}
