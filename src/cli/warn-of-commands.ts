import type { Isolation } from '../../schema/isolation.ts';
import type { Session } from './session.ts';

interface SeenWorker {
  readonly state: string;
  readonly isolation: Isolation;
}

/** Said before a goal runs its first command. Who may not ask for workers hears nothing. */
export async function warnOfCommands({ client, terminal }: Session): Promise<void> {
  const asked = client.get<{ items: SeenWorker[] }>('/v1/workers');
  const { items } = await asked.catch(() => ({ items: [] }));
  // Nobody knows which of them takes the goal.
  if (!items.some(({ state, isolation }) => state === 'up' && isolation === 'none')) return;
  const said = 'Commands run without a sandbox: "goalkeeper doctor" says as whom, and the way out.';
  terminal.err(terminal.paint.bad(said));
}
