import { Runtime } from '@temporalio/worker';
import { quietLogger } from '../../src/temporal/quiet-logger.ts';

let isInstalled = false;

/**
 * Once a process, which several test files share. The worker's own signal handling would end the
 * test runner.
 */
export function installRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({ shutdownSignals: [], logger: quietLogger });
}
