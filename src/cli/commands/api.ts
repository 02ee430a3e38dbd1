import { standaloneOptions, startApi } from '../../app/run-api.ts';
import { standingConfig } from '../../app/standing-rules.ts';
import { onHangUp } from '../../process/hang-up.ts';
import { createLogger } from '../../process/log.ts';
import { assertMigrated } from '../../stack/migrations.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { processTerminal } from '../terminal.ts';
import { untilEnded } from '../until-ended.ts';

export async function api(): Promise<ExitCode> {
  const ended = untilEnded();
  const { config, rules, reread } = standingConfig();
  const log = createLogger(config.logLevel, 'api');
  onHangUp(() => reread(log));
  const options = { ...standaloneOptions(config, log), rules };
  await assertMigrated(options.databaseUrl);
  const running = await startApi(options);
  processTerminal().err(`the API listens at ${running.url}`);
  await ended;
  await running.close();
  return EXIT.complete;
}
