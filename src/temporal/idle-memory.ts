import { Session } from 'node:inspector';
import type { Logger } from 'pino';

const EVERY_MS = 10_000;
/** Of one processor's time: less than that, and a pause of some tenths of a second disturbs nobody. */
const IDLE = 0.15;
/** Processor time since the last collection: after more than that, there is garbage. */
const WORK_MS = 2000;

/**
 * An engine that has nothing to do collects nothing either: a worker whose goals all began to wait
 * would keep the garbage of that for as long as they wait, as much again as it needs.
 */
export function giveMemoryBackWhenIdle(
  log: Logger,
  { everyMs = EVERY_MS, workMs = WORK_MS } = {},
): { stop(): void } {
  // Not the time that a busy machine keeps it from the processor.
  let before = { usedMs: usedMs(), at: performance.now() };
  let collectedAt = before.usedMs;
  const timer = setInterval(() => {
    const now = { usedMs: usedMs(), at: performance.now() };
    const share = (now.usedMs - before.usedMs) / (now.at - before.at);
    before = now;
    if (now.usedMs - collectedAt < workMs || share > IDLE) return;
    collectedAt = now.usedMs;
    collectGarbage().catch((error: unknown) => log.debug({ err: error }, 'no garbage collected'));
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Attached {
  readonly params: { readonly sessionId: string };
}

/** Of this thread, and of those that hold the workflows, which nobody else can ask. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    const post = (method: string, params?: object) =>
      new Promise<void>((resolve, reject) => {
        session.post(method, params, (error) => (error === null ? resolve() : reject(error)));
      });
    const threads: string[] = [];
    session.on('NodeWorker.attachedToWorker', ({ params }: Attached) => {
      threads.push(params.sessionId);
    });
    await post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
    for (const sessionId of threads) {
      await post('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
    await post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
