import { Refusal } from '../../contract/failures.ts';
import type { Ports, Route } from '../application.ts';

const open = { config: { isOpen: true }, schema: { hide: true } } as const;

/** Alive: the process answers. Ready: its dependencies answer too. */
export const healthRoutes: Route<'goals' | 'reader' | 'schema'> = (application, ports) => {
  const { schema } = ports;
  const schemaNow = schema && remembered(schema);
  application.get('/healthz', open, async () => ({ status: 'ok' }));
  application.get('/readyz', open, async (_request, reply) => {
    const checks = {
      postgres: await stateOf(() => ports.reader.ping()),
      temporal: await stateOf(() => ports.goals.ping()),
      ...(schemaNow && { schema: await stateOf(schemaNow, saidOfSchema) }),
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

/** Schemas change with upgrades, and probes come every second. */
const SCHEMA_HOLDS_MS = 10_000;

function remembered(look: () => Promise<void>): () => Promise<void> {
  let heldAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - heldAt < SCHEMA_HOLDS_MS) return;
    await look();
    heldAt = performance.now();
  };
}

/** What is missing, and the way out; what a server away says is told by its own check. */
const saidOfSchema = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'MigrationError' ? error.message : undefined;

const problemOf = (error: unknown): unknown =>
  error instanceof Refusal ? error.data.problem : undefined;

async function stateOf(
  ping: () => Promise<void>,
  saidOf: (error: unknown) => unknown = problemOf,
): Promise<string> {
  const { promise: timeout, cancel } = after(PATIENCE_MS);
  try {
    return await Promise.race([ping().then(() => 'ok' as const), timeout]);
  } catch (error) {
    const problem = saidOf(error);
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
