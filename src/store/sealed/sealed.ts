import { randomBytes } from 'node:crypto';
import type { Fence } from '../../contract/fence.ts';
import type { KeptSealedRun, SealedPort, SealedTold, StoredSealed } from '../../contract/sealed.ts';
import type { Sight } from '../../contract/sight.ts';
import { decrypt, encrypt } from '../../sealed/cipher.ts';
import { packContent, sha256Of, unpackContent } from '../../sealed/content.ts';
import type { SealedKeys } from '../../sealed/keys.ts';
import { withTypedErrors } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';
import { jsonOf, type Store, timeOf } from '../store.ts';

/** Nothing but `told` is readable without the key. */
export function createSealedStore(
  { sql: db, prisma }: Store,
  keys: SealedKeys,
  ledgerKeys: LedgerKeys,
): SealedPort {
  return withTypedErrors<SealedPort>({
    async seal(content, { name: createdBy, workspaces }) {
      const sealedId = `sl-${randomBytes(8).toString('hex')}`;
      const packed = packContent(content);
      const key = keys.sealing();
      const { kind: checks, name, description, hint } = content.check;
      const told: SealedTold = { name, checks, description, hint };
      const sha256 = sha256Of(packed);
      const [row] = await db<[{ created_at: string }]>`
        INSERT INTO sealed_criterion (sealed_id, told, sha256, key_id, content, created_by, workspaces)
        VALUES (${sealedId}, ${db.json(storable(told))}, ${sha256}, ${key.keyId},
          ${encrypt(key, sealedId, packed)}, ${createdBy},
          ${workspaces === null ? null : db.json(storable(workspaces))})
        RETURNING created_at`;
      return {
        ...told,
        ...{ sealedId, sha256, createdBy },
        keyId: key.keyId,
        createdAt: row.created_at,
      };
    },

    async find(sealedId, sight) {
      const omit = { content: true } as const;
      const row = await prisma.sealedCriterion.findUnique({ where: { sealedId }, omit });
      if (row === null) return null;
      const { told, createdAt, workspaces, ...rest } = row;
      const within = workspaces === null ? null : jsonOf<string[]>(workspaces);
      if (!seesSealed(sight, row.createdBy, within)) return null;
      const stored: StoredSealed = {
        ...rest,
        ...jsonOf<SealedTold>(told),
        createdAt: timeOf(createdAt),
      };
      return stored;
    },

    async open(sealedId) {
      const row = await prisma.sealedCriterion.findUnique({ where: { sealedId } });
      if (row === null) return { problem: 'there is no such sealed criterion' };
      const { content, keyId, sha256 } = row;
      if (content === null) return { problem: 'its content is erased: seal it again' };
      const key = keys.find(keyId);
      if (key === undefined) return { problem: keyLost(keyId) };
      const packed = decrypt(key, sealedId, content);
      if (packed === null || sha256Of(packed) !== sha256) {
        return { problem: 'its content is not what was sealed: seal it again' };
      }
      return unpackContent(packed);
    },

    async runs(goalId) {
      const orderBy = { receipt: 'asc' } as const;
      const rows = await prisma.sealedRun.findMany({ where: { goalId }, orderBy });
      return rows.map(({ receipt, keyId, body, createdAt, ...row }): KeptSealedRun => {
        const key = keys.find(keyId);
        const text = key && decrypt(key, placeOfRun(goalId, receipt), body);
        const at = timeOf(createdAt);
        if (text) return { ...(JSON.parse(text.toString()) as Omit<KeptSealedRun, 'at'>), at };
        const { sealedId, criterionId } = row;
        const origin = row.origin as KeptSealedRun['origin'];
        const state = row.state as KeptSealedRun['state'];
        const known = { sealedId, criterionId, origin, state, receipt, at };
        return { ...known, ...UNREADABLE, reason: keyLost(keyId) };
      });
    },

    async keepRun(fence: Fence, run) {
      const { goalId } = fence;
      const { receipt, sealedId, criterionId, origin, state } = run;
      const key = keys.sealing();
      const body = encrypt(key, placeOfRun(goalId, receipt), Buffer.from(JSON.stringify(run)));
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await tx`
          INSERT INTO sealed_run
            (goal_id, receipt, sealed_id, criterion_id, origin, state, key_id, body)
          VALUES (${goalId}, ${receipt}, ${sealedId}, ${criterionId}, ${origin}, ${state},
            ${key.keyId}, ${body})
          ON CONFLICT (goal_id, receipt) DO NOTHING`;
      });
    },

    async eraseUnneeded() {
      const unneeded = await db<{ sealedId: string; goalIds: string[] }[]>`
        SELECT sealed_id AS "sealedId",
          coalesce(jsonb_agg(g.goal_id) FILTER (WHERE g.goal_id IS NOT NULL), '[]') AS "goalIds"
        FROM sealed_criterion AS c LEFT JOIN goal g
          ON g.updated_at >= c.created_at - interval '1 day' AND g.criteria @> jsonb_build_array(
          jsonb_build_object('spec', jsonb_build_object('kind', 'sealed', 'sealedId', sealed_id)))
        WHERE content IS NOT NULL GROUP BY sealed_id, c.created_at
        HAVING bool_or(g.status <> 'complete' AND g.archived_at IS NULL) IS NOT TRUE
          AND (count(g.goal_id) > 0 OR c.created_at < now() - interval '1 day')`;
      const using = [...new Set(unneeded.flatMap(({ goalIds }) => goalIds))];
      const ended = new Set((await overOf(db, ledgerKeys, using)).map(({ goalId }) => goalId));
      const erased = unneeded.filter(({ goalIds }) => goalIds.every((goalId) => ended.has(goalId)));
      if (erased.length === 0) return;
      await db`
        UPDATE sealed_criterion SET content = NULL
        WHERE sealed_id IN ${db(erased.map(({ sealedId }) => sealedId))}`;
    },
  });
}

/** What was sealed beyond the caller's workspaces may tell of them. */
const seesSealed = (
  { startedBy, workspaces }: Sight,
  createdBy: string,
  within: readonly string[] | null,
): boolean =>
  (startedBy === null || startedBy === createdBy) &&
  (workspaces === null || (within?.every((name) => workspaces.includes(name)) ?? false));

const placeOfRun = (goalId: string, receipt: number): string => `${goalId} ${receipt}`;

const keyLost = (keyId: string): string =>
  `it is encrypted with the key ${keyId}, which is not here: set GOALKEEPER_SEALED_KEYS as where it was sealed`;

const UNREADABLE = { turn: 0, runs: [], inputs: '', report: null };
