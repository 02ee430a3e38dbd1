import { Refusal } from '../../contract/failures.ts';
import type { Ports, Route } from '../application.ts';

const open = { config: { isOpen: true }, schema: { hide: true } } as const;

/** Alive: the process answers. Ready: its dependencies answer too. */
export const healthRoutes: Route<'goals' | 'reader'> = (application, ports) => {
  application.get('/healthz', open, async () => ({ status: 'ok' }));
  application.get('/readyz', open, async (_request, reply) => {
    const checks = {
      postgres: await stateOf(() => ports.reader.ping()),
      temporal: await stateOf(() => ports.goals.ping()),
    };
    const isReady = Object.values(checks).every((state) => state === 'ok');
    // One that a worker refused makes no other unready.
    const refusedWorkspaces = isReady ? await refusedNames(ports) : [];
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ok' : 'unavailable', checks, refusedWorkspaces });
  });
};

/** Names alone, because nobody signs in for this. */
async function refusedNames({ reader }: Ports<'reader'>): Promise<string[]> {
  const workers = await reader.workers().catch(() => []);
  const alive = workers.filter(({ state }) => state !== 'lost');
  return [...new Set(alive.flatMap(({ refused }) => refused.map(({ name }) => name)))].sort();
}

/** Callers of a health check give up after about this long. */
const PATIENCE_MS = 3000;

async function stateOf(ping: () => Promise<void>): Promise<string> {
  const { promise: timeout, cancel } = after(PATIENCE_MS);
  try {
    return await Promise.race([ping().then(() => 'ok' as const), timeout]);
  } catch (error) {
    const problem = error instanceof Refusal ? error.data.problem : undefined;
    return problem === undefined ? 'unavailable' : `unavailable: ${problem}`;
  } finally {
    cancel();
  }
}

function after(milliseconds: number): { promise: Promise<'unavailable'>; cancel: () => void } {
  let timer: NodeJS.Timeout;
  const promise = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), milliseconds);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
