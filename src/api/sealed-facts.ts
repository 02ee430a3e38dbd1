import type { Criterion } from '../../schema/criteria.ts';
import type { Sight } from '../contract/sight.ts';
import type { KnownSealed, SealedFacts } from '../intake/facts.ts';
import { wholeSight } from '../policy/sight.ts';
import type { Ports } from './application.ts';

export type SealedNeeds = 'sealed' | 'reader';

/** The sealed criteria that a request names, and those that its goal has already. */
export interface NamedSealed {
  readonly criteria: readonly Criterion[];
  /** Criteria that the goal has: whoever sees it may keep them. */
  readonly held: readonly Criterion[];
  readonly sight: Sight;
}

/** What a start or an amendment that names sealed criteria is judged by. */
export async function readSealedFacts(
  ports: Ports<SealedNeeds>,
  { criteria, held, sight }: NamedSealed,
): Promise<SealedFacts> {
  const ids = new Set(sealedIds(criteria));
  if (ids.size === 0) return { known: new Map(), hasSandbox: true };
  const heldIds = sealedIds(held);
  const known = new Map<string, KnownSealed>();
  for (const id of ids) {
    const found = await readOne(ports, id, heldIds.includes(id) ? wholeSight : sight);
    if (found !== null) known.set(id, found);
  }
  return { known, hasSandbox: await hasSandbox(ports) };
}

const sealedIds = (criteria: readonly Criterion[]): string[] =>
  criteria.flatMap((one) => (one.kind === 'sealed' ? [one.sealedId] : []));

async function readOne(
  { sealed }: Ports<'sealed'>,
  id: string,
  sight: Sight,
): Promise<KnownSealed | null> {
  const told = await sealed.find(id, sight);
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
