import { loadConfig } from '../../app/config.ts';
import { standaloneOptions, startApi } from '../../app/run-api.ts';
import { createLogger } from '../../process/log.ts';
import { assertMigrated } from '../../stack/migrations.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { processTerminal } from '../terminal.ts';
import { untilEnded } from '../until-ended.ts';

export async function api(): Promise<ExitCode> {
  const config = loadConfig();
  const ended = untilEnded();
  const options = standaloneOptions(config, createLogger(config.logLevel, 'api'));
  await assertMigrated(options.databaseUrl);
  const running = await startApi(options);
  processTerminal().err(`the API listens at ${running.url}`);
  await ended;
  await running.close();
  return EXIT.complete;
}
