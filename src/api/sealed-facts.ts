import type { Criterion } from '../../schema/criteria.ts';
import type { KnownSealed, SealedFacts } from '../intake/facts.ts';
import type { Ports } from './application.ts';

export type SealedNeeds = 'sealed' | 'reader';

/** What a start or an amendment that names sealed criteria is judged by. */
export async function readSealedFacts(
  ports: Ports<SealedNeeds>,
  criteria: readonly Criterion[] = [],
): Promise<SealedFacts> {
  const ids = criteria.flatMap((one) => (one.kind === 'sealed' ? [one.sealedId] : []));
  if (ids.length === 0) return { known: new Map(), hasSandbox: true };
  const known = new Map<string, KnownSealed>();
  for (const id of new Set(ids)) {
    const found = await readOne(ports, id);
    if (found !== null) known.set(id, found);
  }
  return { known, hasSandbox: await hasSandbox(ports) };
}

async function readOne({ sealed }: Ports<'sealed'>, id: string): Promise<KnownSealed | null> {
  const told = await sealed.find(id);
  if (told === null) return null;
  const content = await sealed.open(id);
  if ('problem' in content) return { told, paths: [], model: null, problem: content.problem };
  const { check, files } = content;
  const model = check.kind === 'review' ? (check.model ?? null) : null;
  return { told, paths: files.map(({ path }) => path), model, problem: null };
}

/** Without a living worker nobody knows; a worker without a sandbox refuses by itself. */
async function hasSandbox({ reader }: Ports<'reader'>): Promise<boolean> {
  const living = (await reader.workers()).filter(({ state }) => state === 'up');
  return living.length === 0 || living.some(({ isolation }) => isolation === 'full');
}
