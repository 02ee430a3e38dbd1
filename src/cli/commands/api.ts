import { standaloneOptions, startApi } from '../../app/run-api.ts';
import { standingConfig } from '../../app/standing-rules.ts';
import { endSoon } from '../../process/end-in-order.ts';
import { onHangUp } from '../../process/hang-up.ts';
import { createLogger } from '../../process/log.ts';
import { assertSchema } from '../../stack/migrations.ts';
import { waitForServers } from '../../stack/wait-for-servers.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { processTerminal } from '../terminal.ts';
import { untilEnded } from '../until-ended.ts';

export async function api(): Promise<ExitCode> {
  const ended = untilEnded();
  const ending = new AbortController();
  void ended.then(() => ending.abort());
  const { config, rules, reread } = standingConfig();
  const log = createLogger(config.logLevel, 'api');
  onHangUp(() => reread(log));
  const options = { ...standaloneOptions(config, log), rules, assertSchema };
  const isReady = await waitForServers(options, {
    seconds: config.startSeconds,
    onWait: (what) => log.warn(`waiting: ${what}`),
    signal: ending.signal,
  });
  if (!isReady) return EXIT.complete;
  const running = await startApi(options);
  processTerminal().err(`the API listens at ${running.url}`);
  await ended;
  await running.close();
  endSoon();
  return EXIT.complete;
}
