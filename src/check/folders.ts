import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';
import { sweepSetups } from '../proof-place/setup-store.ts';
import { passageMode } from '../sandbox/command-user.ts';
import { removeTree } from '../sandbox/remove-tree.ts';

/** Apart from what a service keeps in the same home, whose sweeps know goals alone. */
const checksIn = (serviceHome: string): string => join(serviceHome, 'checks');

interface CheckFolders {
  readonly checkId: string;
  readonly home: string;
  remove(): Promise<void>;
}

/** The folders of one check, in the service's home. */
export async function openCheckFolders(serviceHome: string): Promise<CheckFolders> {
  const checkId = `check-${randomBytes(8).toString('hex')}`;
  const owners = ownersIn(serviceHome);
  await mkdir(owners, { recursive: true, mode: passageMode() });
  const owner = nameOfProcess(identifyRunning(process.pid));
  // A name that says its process would tell of this machine in every proof.
  await writeFile(join(owners, checkId), `${owner}-`);
  const remove = () => removeCheck(serviceHome, checkId);
  return { checkId, home: checksIn(serviceHome), remove };
}

const ownersIn = (serviceHome: string): string => join(checksIn(serviceHome), 'running');

async function removeCheck(serviceHome: string, checkId: string): Promise<void> {
  for (const folder of placesIn(serviceHome)) await removeTree(join(folder, checkId));
  await rm(join(ownersIn(serviceHome), checkId), { force: true });
}

const placesIn = (serviceHome: string): string[] => [
  join(checksIn(serviceHome), 'proofs'),
  join(serviceHome, 'sandbox'),
];

/** Removes what checks left that were killed, and setups that nobody used for long. */
export async function sweepChecks(serviceHome: string): Promise<void> {
  const owners = ownersIn(serviceHome);
  for (const checkId of await readdir(owners).catch(() => [])) {
    const owner = processInName(await readFile(join(owners, checkId), 'utf8').catch(() => ''));
    if (owner !== null && !isRunning(owner)) await removeCheck(serviceHome, checkId);
  }
  await sweepSetups(checksIn(serviceHome));
}
