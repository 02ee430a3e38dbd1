import type { OrderRefused, OtherInstallation } from './failures.ts';

/**
 * Why a payload that came from Temporal is not believed: it is not encrypted; it doesn't open, so
 * that it was changed or belongs to another execution; its key is not here.
 */
export type WhyRefused = 'plain' | 'forged' | 'key';

export interface RefusedPayload {
  readonly why: WhyRefused;
  /** Id of the key that it names. */
  readonly keyId: string | null;
}

/** Something refused, as people are told. */
export interface SecurityRefusal extends Omit<RefusedPayload, 'why'> {
  /**
   * `no_order`: it opens, and nobody ordered it here; `altered`: what is stored was changed;
   * `elsewhere`: another installation's, which its own worker has to take.
   */
  readonly why: WhyRefused | OrderRefused['why'] | OtherInstallation['why'];
  readonly workflowId: string;
  /** `payload`: its key is not here, so nobody can tell whether it was genuine. */
  readonly what: 'start' | 'update' | 'signal' | 'activity' | 'result' | 'payload';
  /** Of the update, signal, workflow or activity; the id of the activity that a payload is for. */
  readonly name: string;
}

const FIELD = 'goalkeeper.refused';

/** Stands in the place of a refused payload; nothing that opens looks like it. */
export const standIn = (refused: RefusedPayload): unknown => ({ [FIELD]: refused });

/** The refused payload that this value stands for; null for a value that was believed. */
export function refusedIn(value: unknown): RefusedPayload | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, FIELD)) return null;
  return (value as Record<typeof FIELD, RefusedPayload>)[FIELD];
}

export const firstRefused = (values: readonly unknown[]): RefusedPayload | null =>
  values.map(refusedIn).find((refused) => refused !== null) ?? null;

export function whyRefused({ why, keyId }: RefusedPayload): string {
  if (why === 'plain') return 'it is not encrypted';
  if (why === 'forged') return 'it does not open: it was changed, or belongs to another execution';
  return `it is encrypted with the key ${keyId}, which is not here: GOALKEEPER_TEMPORAL_KEYS has to name the same keys for the API and all workers`;
}
