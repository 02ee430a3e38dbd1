import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Goal } from '../../../schema/goal.ts';
import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ProofLink } from '../../contract/proof-export.ts';
import type { Application, Ports, Route } from '../application.ts';
import { createGuessLimit } from '../guess-limit.ts';
import { answerHtml } from '../links/answer-html.ts';
import { exportedPredicate } from '../links/exported-proof.ts';
import { toldPage } from '../links/page.ts';
import { sharedProofPage } from '../links/proof-page.ts';
import { receiptOutputs } from '../links/receipt-outputs.ts';
import { may } from '../may.ts';
import { createQuiet } from '../quiet.ts';
import { entryOf } from '../security-entry.ts';

const attempts = { max: 60, timeWindow: '1 minute' };
const open = { config: { isOpen: true, rateLimit: attempts }, schema: { hide: true } } as const;
const linkSchema = z.looseObject({ link: z.string().catch('') });

type Needs = 'proofs' | 'proofLinks' | 'reader' | 'securityLog';

/** A proof is read by a signed link, and nothing else is shown by it. */
export const openProofLinkRoute: Route<Needs> = (application, ports) => {
  const guesses = createGuessLimit();
  const log = logger(ports);
  const told = (reply: FastifyReply, [status, title, why]: Told) =>
    answerHtml(reply, status, (nonce) => toldPage(nonce, title, [why]));
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
      const code = link.code === 'rate_limited' ? 'rate_limited' : 'altered';
      await log(request, null, code);
      return told(reply, REFUSED[code]);
    }
    const found = await shown(application, ports, link);
    if (typeof found === 'string') {
      await log(request, link, found);
      return told(reply, REFUSED[found]);
    }
    const { predicate, usage } = found;
    await log(request, link, null);
    const outputs = await receiptOutputs(ports.reader, predicate);
    const { expiresAt } = link;
    return answerHtml(reply, 200, (nonce) =>
      sharedProofPage({ nonce, predicate, outputs, usage, expiresAt }),
    );
  });
};

function logger({ securityLog }: Ports<'securityLog'>) {
  const isNew = createQuiet();
  return async (request: FastifyRequest, link: ProofLink | null, code: string | null) => {
    if (!isNew(JSON.stringify([request.ip, code, link?.linkId]))) return;
    const entry = entryOf(request, code === null ? 'proof_opened' : 'link_refused', {
      subject: link?.goalId ?? '/proof',
      result: code === null ? 'done' : 'refused',
      data: {
        ...(code === null ? {} : { code }),
        ...(link === null ? {} : { as: link.as, linkId: link.linkId }),
      },
    });
    await securityLog.add(entry).catch((error: Error) => {
      request.log.error({ err: error, entry }, 'the security log took no entry');
    });
  };
}

type Told = readonly [status: number, title: string, why: string];

const REFUSED = {
  altered: [
    404,
    'No such link',
    'It was changed on its way, or another service made it, or its key is gone.',
  ],
  rate_limited: [
    429,
    'Too many tries',
    'Too many unknown links came from this address. Try again in a minute.',
  ],
  expired: [410, 'This link has expired', 'Ask whoever sent it for a new one.'],
  taken_back: [410, 'This link was taken back', 'Ask whoever sent it for a new one.'],
  may_not: [403, 'This link shows nothing any more', 'Who made it may not read this goal now.'],
  gone: [
    404,
    'This proof is not there any more',
    'The goal was cleared, or has another proof now.',
  ],
} as const satisfies Record<string, Told>;

interface Shown {
  readonly predicate: GoalProofPredicate;
  readonly usage: Goal['usage'];
}

/** Rights, proof and the link's own end are looked at anew, each time. */
async function shown(
  application: Application,
  { reader, proofs, securityLog }: Ports<Needs>,
  { linkId, goalId, head, as, expiresAt }: ProofLink,
): Promise<Shown | Exclude<keyof typeof REFUSED, 'altered' | 'rate_limited'>> {
  if (expiresAt <= Date.now()) return 'expired';
  const ends = await securityLog.about(goalId, ['proof_unshared']);
  if (ends.some(({ data }) => data.linkId === linkId)) return 'taken_back';
  const maker = await application.ownerOf(as);
  const owner = (await reader.owner(goalId)) ?? 'unknown';
  if (maker === null || may(maker, 'shareProof', owner) !== 'yes') return 'may_not';
  const goal = await reader.goal(goalId);
  if (goal === null || goal.archivedAt !== undefined) return 'gone';
  const predicate = await exportedPredicate(proofs, goalId).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (predicate === null || predicate.ledger.head.hash !== head) return 'gone';
  return { predicate, usage: goal.usage };
}
