import { loadConfig } from '../../src/app/config.ts';
import { standaloneOptions, startApi } from '../../src/app/run-api.ts';
import { createLogger } from '../../src/process/log.ts';

/** A production API, for tests that kill it. */
const config = loadConfig();
const running = await startApi(standaloneOptions(config, createLogger(config.logLevel, 'api')));
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)));
// A play that is killed leaves nobody behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');
