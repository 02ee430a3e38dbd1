import type { ReaderPort } from '../db/ports.ts';
import { Refusal } from '../goal/errors.ts';
import { startRounds } from '../rounds.ts';
import type { ApiPorts } from './application.ts';

/** As often as workers give a sign of life. */
const EVERY_MS = 5000;
/** Three signs of life that did not come. */
const GONE_AFTER_MS = 15_000;
export const OWN_PREFIX = 'own/';

/** What applications' own workers serve, as far as they live. */
export interface ServedModels {
  readonly names: () => readonly string[];
  stop(): Promise<void>;
}

/** Asks the record now and then: whether a model can be used is answered without waiting. */
export async function watchServedModels(
  reader: Pick<ReaderPort, 'workers'>,
): Promise<ServedModels> {
  let names: readonly string[] = [];
  const look = async () => {
    const workers = await reader.workers();
    const alive = workers.filter(({ seenAt }) => Date.now() - Date.parse(seenAt) < GONE_AFTER_MS);
    names = [...new Set(alive.flatMap(({ models }) => models))].sort();
  };
  // Without the record nothing starts anyway; what was served last stays known meanwhile.
  const tryToLook = async () => {
    await look().catch(() => {});
    return false;
  };
  await tryToLook();
  const rounds = startRounds(tryToLook, EVERY_MS);
  return { names: () => names, stop: rounds.stop };
}

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
