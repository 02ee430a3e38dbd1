import { existsSync, writeFileSync } from 'node:fs';
import { Runtime } from '@temporalio/worker';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { quietLogger } from '../../src/temporal/quiet-logger.ts';
import { runWorker } from '../../src/temporal/run-worker.ts';
import { withFaultPoints } from './fault-points.ts';

/**
 * A production worker that dies at one point: `GOALKEEPER_FAULT=journal.commitStep:after#2` is the
 * second time that it is passed. The flag file says that it has died; it does so once.
 */
const { GOALKEEPER_FAULT: fault = '', GOALKEEPER_FAULT_FLAG: flag = '' } = process.env;
const [point = '', time = '1'] = fault.split('#');
let passed = 0;

function visit(name: string): void {
  if (name !== point) return;
  passed += 1;
  if (passed !== Number(time) || existsSync(flag)) return;
  writeFileSync(flag, '');
  process.kill(process.pid, 'SIGKILL');
}

const config = loadConfig();
const { databaseUrl } = config;
const { address, namespace } = config.temporal;
if (databaseUrl === null || address === null) throw new Error('the servers must be named');
const log = createLogger(config.logLevel, 'worker');
Runtime.install({
  shutdownSignals: [],
  logger: quietLogger,
});
const running = await runWorker({
  config: { ...config, databaseUrl },
  temporal: { address, namespace },
  workspaces: [],
  log,
  wrapPorts: (ports) => withFaultPoints(ports, visit),
});
process.on('SIGTERM', () => running.stop());
process.send?.('ready');
await running.done;
process.exit(0);
