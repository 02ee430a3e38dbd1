import { Session } from 'node:inspector';
import type { Logger } from 'pino';

const EVERY_MS = 10_000;
/** Below this share of one processor, a pause of some tenths of a second is harmless. */
const IDLE = 0.15;
/** Processor time since the last collection after which garbage is worth collecting. */
const WORK_MS = 2000;

/**
 * V8 doesn't collect garbage while it is idle: a worker whose goals all wait would keep its garbage
 * during the wait, which doubles its memory.
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

/** Collects garbage of this thread and of the workflow threads. */
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
