import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import { startRounds } from '../process/rounds.ts';
import type { ApiPorts } from './application.ts';

/** As often as workers give a sign of life. */
const EVERY_MS = 5000;
export const OWN_PREFIX = 'own/';

/** What applications' own workers serve, as far as they live. */
export interface ServedModels {
  readonly names: () => readonly string[];
  stop(): Promise<void>;
}

/**
 * Asks the record now and then: whether a model can be used is answered without waiting.
 * @param onHosts hears of hosts that got their first worker or lost their last one, since nothing
 * else tells of that
 */
export async function watchServedModels(
  reader: Pick<ReaderPort, 'workers'>,
  onHosts: (hosts: readonly string[]) => Promise<void> = async () => {},
  everyMs = EVERY_MS,
): Promise<ServedModels> {
  let names: readonly string[] = [];
  let hosts: ReadonlySet<string> | null = null;
  const look = async () => {
    const alive = (await reader.workers()).filter(({ state }) => state !== 'lost');
    names = [...new Set(alive.flatMap(({ models }) => models))].sort();
    const served = new Set(alive.map(({ host }) => host));
    const moved = hosts === null ? [] : differing(hosts, served);
    if (moved.length > 0) await onHosts(moved);
    hosts = served;
  };
  // Without the record nothing starts anyway; what was served last stays known meanwhile.
  const tryToLook = async () => {
    await look().catch(() => {});
    return false;
  };
  await tryToLook();
  const rounds = startRounds(tryToLook, everyMs);
  return { names: () => names, stop: rounds.stop };
}

const differing = (before: ReadonlySet<string>, now: ReadonlySet<string>): string[] => [
  ...[...before].filter((host) => !now.has(host)),
  ...[...now].filter((host) => !before.has(host)),
];

/** The service's models, with those that only some worker knows. */
export function withServed(
  models: ApiPorts['models'],
  { names }: Pick<ServedModels, 'names'>,
): ApiPorts['models'] {
  return {
    price: models.price,
    assertUsable(model) {
      if (!model.startsWith(OWN_PREFIX)) return models.assertUsable(model);
      if (names().includes(model)) return;
      const now =
        names().length === 0 ? 'none of its own is served' : `served are ${names().join(', ')}`;
      throw new Refusal('unknown_model', `No worker serves ${model} now; ${now}.`, { model });
    },
  };
}
