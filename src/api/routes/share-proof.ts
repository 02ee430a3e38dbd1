import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type GoalProofPredicate, goalProofPredicateSchema } from '../../../schema/proof-bundle.ts';
import {
  MOST_SHARED_DAYS,
  sharedProofSchema,
  shareProofSchema,
} from '../../../schema/share-proof.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ProofLink } from '../../contract/proof-export.ts';
import { type Application, type Ports, principalOf, type Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { createGuessLimit } from '../guess-limit.ts';
import { answerHtml } from '../links/answer-html.ts';
import { toldPage } from '../links/page.ts';
import { sharedProofPage } from '../links/proof-page.ts';
import { may } from '../may.ts';
import { createQuiet } from '../quiet.ts';
import { entryOf } from '../security-entry.ts';

const DAY_MS = 86_400_000;

const share = operation('shareProof', {
  tag: 'record',
  summary: `A link to the proof of a completed goal, for whoever holds it; at most ${MOST_SHARED_DAYS} days`,
  answer: sharedProofSchema,
  status: 201,
});

const attempts = { max: 60, timeWindow: '1 minute' };
const open = { config: { isOpen: true, rateLimit: attempts }, schema: { hide: true } } as const;

type Needs = 'proofs' | 'proofLinks' | 'reader' | 'securityLog';

/** A proof is read by a signed link; nothing is stored of it, and nothing else is shown by it. */
export const shareProofRoutes: Route<Needs> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/proof/links',
    config: share.config,
    schema: { ...share.describe, params: goalParams, body: shareProofSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { name } = principalOf(request);
      if ((await application.ownerOf(name)) === null) {
        const why =
          'A link has the rights of a token whenever it is opened: sign in with a token to make one.';
        throw new Refusal('unsupported', why);
      }
      const { ledger } = predicateIn(await ports.proofs.export(goalId));
      const expiresAt = Date.now() + request.body.days * DAY_MS;
      const link = ports.proofLinks.sign({ goalId, head: ledger.head.hash, as: name, expiresAt });
      if (link === null) {
        throw new Refusal('unsupported', 'Nothing signs links here: set GOALKEEPER_LEDGER_KEY.');
      }
      const until = new Date(expiresAt).toISOString();
      const data = { until };
      await ports.securityLog.add(entryOf(request, 'proof_shared', { subject: goalId, data }));
      return reply.code(201).send({ path: `/proof?link=${link}`, expiresAt: until });
    },
  });
  addPage(application, ports);
};

const linkSchema = z.looseObject({ link: z.string().catch('') });

function addPage(application: Application, ports: Ports<Needs>): void {
  const guesses = createGuessLimit();
  const isNew = createQuiet();
  const told = (reply: FastifyReply, status: number, title: string, why: string) =>
    answerHtml(reply, status, (nonce) => toldPage(nonce, title, [why]));
  const log = async (request: FastifyRequest, link: ProofLink | null, code: string | null) => {
    if (!isNew(JSON.stringify([request.ip, code, link?.goalId, link?.expiresAt]))) return;
    const entry = entryOf(request, code === null ? 'proof_opened' : 'link_refused', {
      subject: link?.goalId ?? '/proof',
      result: code === null ? 'done' : 'refused',
      data: { ...(code === null ? {} : { code }), ...(link === null ? {} : { as: link.as }) },
    });
    await ports.securityLog.add(entry).catch((error: Error) => {
      request.log.error({ err: error, entry }, 'the security log took no entry');
    });
  };
  application.get('/proof', open, async (request, reply) => {
    const { link: given } = linkSchema.catch({ link: '' }).parse(request.query);
    const link = await guesses(request.ip, given, async () => {
      const read = ports.proofLinks.read(given);
      if (read === null) throw new Refusal('unauthorized', 'Nobody here made this link.');
      return read;
    }).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    if (link instanceof Refusal) {
      const isLimited = link.code === 'rate_limited';
      await log(request, null, isLimited ? 'rate_limited' : 'altered');
      return isLimited
        ? told(
            reply,
            429,
            'Too many tries',
            'Too many unknown links came from this address. Try again in a minute.',
          )
        : told(
            reply,
            404,
            'No such link',
            'It was changed on its way, or another service made it, or its key is gone.',
          );
    }
    const found = await shown(application, ports, link);
    if (typeof found === 'string') {
      await log(request, link, found);
      const [status, title, why] = REFUSED[found];
      return told(reply, status, title, why);
    }
    await log(request, link, null);
    const { expiresAt } = link;
    return answerHtml(reply, 200, (nonce) =>
      sharedProofPage({ nonce, predicate: found, expiresAt }),
    );
  });
}

const REFUSED = {
  expired: [410, 'This link has expired', 'Ask whoever sent it for a new one.'],
  may_not: [403, 'This link shows nothing any more', 'Who made it may not read this goal now.'],
  gone: [
    404,
    'This proof is not there any more',
    'The goal was cleared, or has another proof now.',
  ],
} as const;

/** Rights and proof are looked at anew, each time. */
async function shown(
  application: Application,
  { reader, proofs }: Ports<Needs>,
  { goalId, head, as, expiresAt }: ProofLink,
): Promise<GoalProofPredicate | keyof typeof REFUSED> {
  if (expiresAt <= Date.now()) return 'expired';
  const maker = await application.ownerOf(as);
  const owner = (await reader.owner(goalId)) ?? 'unknown';
  if (maker === null || may(maker, 'shareProof', owner) !== 'yes') return 'may_not';
  const goal = await reader.goal(goalId);
  if (goal === null || goal.archivedAt !== undefined) return 'gone';
  const text = await proofs.export(goalId).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  const predicate = text === null ? null : predicateIn(text);
  return predicate?.ledger.head.hash === head ? predicate : 'gone';
}

/** The first line of the file, which this service has just signed. */
function predicateIn(bundle: string): GoalProofPredicate {
  const { payload } = JSON.parse(bundle.slice(0, bundle.indexOf('\n'))) as { payload: string };
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    predicate: unknown;
  };
  return goalProofPredicateSchema.parse(predicate);
}
