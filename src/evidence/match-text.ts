import { Worker } from 'node:worker_threads';

const LIMIT_MS = 2000;

/** Plain JavaScript, so that the thread needs no loader. */
const TEST = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage(new RegExp(workerData.pattern, 'm').test(workerData.text));`;

/**
 * Matches in a separate thread: a pattern may run for ever on a text of the model, and only ending
 * the thread stops it.
 */
export function matchText(
  pattern: string,
  text: string,
  limitMs = LIMIT_MS,
): Promise<boolean | 'timeout'> {
  const thread = new Worker(TEST, { eval: true, execArgv: [], workerData: { pattern, text } });
  return new Promise<boolean | 'timeout'>((resolve, reject) => {
    const timer = setTimeout(() => resolve('timeout'), limitMs);
    thread.once('message', (isMatch: boolean) => resolve(isMatch));
    thread.once('error', reject);
    thread.once('exit', () => clearTimeout(timer));
  }).finally(() => void thread.terminate());
}
