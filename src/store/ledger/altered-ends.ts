import type { Executor } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { asStored } from './sealed-from.ts';
import { byAnyKey, isSealHolding, ledgerSeal, type SealRow } from './seals.ts';

/**
 * The ends of what is only ever added for a goal: no row of its ledger lies beyond the sealed end, and
 * its newest decision is one that the service sealed with it. What lies before an end, nobody may
 * change, and no number there is free.
 */
export interface SealedEnds {
  readonly seq: number;
  readonly hash: string;
  readonly seal: string | null;
  readonly isBeyond: boolean;
  /** Of its newest decision; absent = it has none. */
  readonly decision?: { readonly turn: number; readonly seal: SealRow | null } | null;
}

/** Of a goal `g`, as a JSON object, in the snapshot of any statement; null = its journal is gone. */
export const sealedEnds = (sql: Executor) => sql`
  (SELECT jsonb_build_object('seq', o.ledger_seq, 'hash', o.ledger_head, 'seal', o.ledger_seal,
    'isBeyond', EXISTS (SELECT 1 FROM ledger l
      WHERE l.goal_id = o.goal_id AND l.seq > o.ledger_seq),
    'decision', (SELECT jsonb_build_object('turn', d.turn, 'seal', (
        SELECT to_jsonb(s) FROM seal s WHERE s.goal_id = d.goal_id AND s.kind = 'decision'
          AND s.subject = d.turn::text ORDER BY s.number DESC LIMIT 1))
      FROM decision d WHERE d.goal_id = o.goal_id ORDER BY d.turn DESC LIMIT 1))
    FROM journal o WHERE o.goal_id = g.goal_id)`;

export function alteredEnds(
  keys: LedgerKeys,
  goalId: string,
  ends: SealedEnds | null,
): readonly ('ledger' | 'decision')[] {
  if (keys.sealing === null) return [];
  if (ends === null) return ['ledger', 'decision'];
  const { seq, hash, seal, isBeyond, decision } = ends;
  const isEnd = byAnyKey(keys, (key) => ledgerSeal(key, goalId, { seq, hash })).includes(
    seal ?? '',
  );
  const decided = decision?.seal ?? null;
  const isDecided = !decision || (decided !== null && isSealHolding(keys, asStored(decided)));
  return [
    ...(isEnd && !isBeyond ? [] : (['ledger'] as const)),
    ...(isDecided ? [] : (['decision'] as const)),
  ];
}
