import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import { startRounds } from '../process/rounds.ts';
import type { ApiPorts } from './application.ts';

/** The interval of the workers' heartbeats. */
const EVERY_MS = 5000;
export const OWN_PREFIX = 'own/';

/** The models that applications' live workers serve. */
export interface ServedModels {
  readonly names: () => readonly string[];
  stop(): Promise<void>;
}

/**
 * Polls the record, so that whether a model can be used is answered without waiting.
 * @param onHosts is called with hosts that got their first worker or lost their last one, because
 * no event announces that
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
  // Nothing starts while the record is unreachable, so the last known models stay.
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

/** The service's models, plus those that only some worker knows. */
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
