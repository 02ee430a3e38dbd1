import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';
import { removeTree } from '../proof-place/place.ts';
import { sweepSetups } from '../proof-place/setup-store.ts';

/** Apart from what a service keeps in the same home, whose sweeps know goals alone. */
const checksIn = (serviceHome: string): string => join(serviceHome, 'checks');

const PREFIX = 'check-';

interface CheckFolders {
  /** Says which process it is of. */
  readonly checkId: string;
  readonly home: string;
  remove(): Promise<void>;
}

/** The folders of one check, in the service's home. */
export function openCheckFolders(serviceHome: string): CheckFolders {
  const owner = nameOfProcess(identifyRunning(process.pid));
  const checkId = `${PREFIX}${owner}-${randomBytes(4).toString('hex')}`;
  const home = checksIn(serviceHome);
  return {
    checkId,
    home,
    remove: async () => {
      for (const folder of placesIn(serviceHome)) await removeTree(join(folder, checkId));
    },
  };
}

const placesIn = (serviceHome: string): string[] => [
  join(checksIn(serviceHome), 'proofs'),
  join(serviceHome, 'sandbox'),
];

/** Removes what checks left that were killed, and setups that nobody used for long. */
export async function sweepChecks(serviceHome: string): Promise<void> {
  for (const folder of placesIn(serviceHome)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const owner = name.startsWith(PREFIX) ? processInName(name.slice(PREFIX.length)) : null;
      if (owner === null || isRunning(owner)) continue;
      await removeTree(join(folder, name)).catch(() => {});
    }
  }
  await sweepSetups(checksIn(serviceHome));
}
