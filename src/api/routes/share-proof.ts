import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SecurityEntry } from '../../../schema/security-log.ts';
import {
  MOST_SHARED_DAYS,
  type ProofLinkMade,
  proofLinkSchema,
  sharedProofSchema,
  shareProofSchema,
} from '../../../schema/share-proof.ts';
import { Refusal } from '../../contract/failures.ts';
import type { SecurityLogPort } from '../../contract/security-log.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, operation, pageOf } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { exportedPredicate } from '../links/exported-proof.ts';
import { entryOf } from '../security-entry.ts';

const DAY_MS = 86_400_000;

const described = {
  share: operation('shareProof', {
    tag: 'record',
    summary: `A link to the proof of a completed goal, for whoever holds it; at most ${MOST_SHARED_DAYS} days`,
    answer: sharedProofSchema,
    status: 201,
  }),
  list: operation('listProofLinks', {
    tag: 'record',
    summary: 'Links to the proof of a goal, newest first: who made each, and whether it works',
    answer: pageOf(proofLinkSchema),
  }),
  takeBack: operation('takeBackProofLink', {
    tag: 'record',
    summary: 'Take one link to a proof back: it shows nothing from then on',
    answer: proofLinkSchema,
  }),
};

const linkParams = goalParams.extend({
  linkId: z.string().regex(/^[0-9a-f]{16}$/, 'is the id of a link, as the list names it'),
});

/**
 * The links themselves are stored nowhere. That one was made, or taken back, is an entry of the
 * security log, which nobody removes.
 */
export const shareProofRoutes: Route<'proofs' | 'proofLinks' | 'reader' | 'securityLog'> = (
  application,
  ports,
) => {
  const url = '/v1/goals/:goalId/proof/links';
  application.route({
    method: 'POST',
    url,
    config: described.share.config,
    schema: { ...described.share.describe, params: goalParams, body: shareProofSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { name } = principalOf(request);
      if ((await application.ownerOf(name)) === null) {
        const why =
          'A link has the rights of a token whenever it is opened: sign in with a token to make one.';
        throw new Refusal('unsupported', why);
      }
      const { head } = (await exportedPredicate(ports.proofs, goalId)).ledger;
      const linkId = randomBytes(8).toString('hex');
      const expiresAt = Date.now() + request.body.days * DAY_MS;
      const claims = { linkId, goalId, head: head.hash, as: name, expiresAt };
      const link = ports.proofLinks.sign(claims);
      if (link === null) {
        throw new Refusal('unsupported', 'Nothing signs links here: set GOALKEEPER_LEDGER_KEY.');
      }
      const until = new Date(expiresAt).toISOString();
      const data = { linkId, until };
      await ports.securityLog.add(entryOf(request, 'proof_shared', { subject: goalId, data }));
      return reply.code(201).send({ linkId, path: `/proof?link=${link}`, expiresAt: until });
    },
  });
  application.route({
    method: 'GET',
    url,
    config: described.list.config,
    schema: { ...described.list.describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const items = await linksOf(ports.securityLog, goalId);
      return { items: items.reverse(), nextCursor: null };
    },
  });
  application.route({
    method: 'DELETE',
    url: `${url}/:linkId`,
    config: described.takeBack.config,
    schema: { ...described.takeBack.describe, params: linkParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { linkId } = request.params;
      const known = (await linksOf(ports.securityLog, goalId)).find((one) => one.linkId === linkId);
      if (known === undefined) {
        const why = `Nobody made the link ${linkId} to a proof of this goal: see GET …/proof/links.`;
        throw new Refusal('not_found', why, { field: 'linkId', goalId });
      }
      if (known.state === 'taken_back') return known;
      const { name } = principalOf(request);
      const data = { linkId };
      await ports.securityLog.add(entryOf(request, 'proof_unshared', { subject: goalId, data }));
      return { ...known, state: 'taken_back' as const, takenBackBy: name };
    },
  });
};

/** Oldest first. */
async function linksOf(log: SecurityLogPort, goalId: string): Promise<ProofLinkMade[]> {
  const entries = await log.about(goalId, ['proof_shared', 'proof_unshared']);
  const ends = new Map(
    entries
      .filter(({ what }) => what === 'proof_unshared')
      .map((entry) => [entry.data.linkId, entry]),
  );
  return entries
    .filter(({ what, data }) => what === 'proof_shared' && typeof data.linkId === 'string')
    .map((entry) => linkOf(entry, ends.get(entry.data.linkId)));
}

function linkOf({ who, at, data }: SecurityEntry, end?: SecurityEntry): ProofLinkMade {
  const expiresAt = String(data.until);
  const isOver = Date.parse(expiresAt) <= Date.now();
  return {
    linkId: String(data.linkId),
    madeBy: who ?? '',
    madeAt: new Date(at).toISOString(),
    expiresAt,
    state: end === undefined ? (isOver ? 'expired' : 'open') : 'taken_back',
    takenBackBy: end?.who ?? null,
  };
}
