import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Approval } from '../../../schema/approval.ts';
import type { Caller } from '../../../schema/role.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ApprovalLink } from '../../contract/notices.ts';
import type { Application, Ports, Route } from '../application.ts';
import { createGuessLimit, type GuessLimit } from '../guess-limit.ts';
import { answerHtml } from '../links/answer-html.ts';
import { askedPage, MOST_NOTE } from '../links/decision-page.ts';
import {
  type JudgeNeeds,
  judgeLink,
  type LinkVerdict,
  type OpenLink,
} from '../links/judge-link.ts';
import { toldPage } from '../links/page.ts';
import { createQuiet } from '../quiet.ts';
import { entryOf } from '../security-entry.ts';

type Needs = JudgeNeeds | 'securityLog';

const attempts = { max: 60, timeWindow: '1 minute' };
const open = { config: { isOpen: true, rateLimit: attempts }, schema: { hide: true } } as const;
const BODY_LIMIT = 64 * 1024;

/**
 * Decisions by the link of a notice. What looks at links, such as previewers and mail scanners,
 * sends GET, which shows the question and changes nothing; the page's form decides.
 */
export const decideByLinkRoutes: Route<Needs> = (application, ports) => {
  const desk: Desk = { ports, guesses: createGuessLimit(), isNew: createQuiet() };
  application.get('/decide', open, async (request, reply) => {
    const { link } = asked(request.query);
    const found = await lookAt(application, desk, { request, reply, link });
    if (found === null) return reply;
    const { verdict, claims } = found;
    const { expiresAt } = claims;
    return answerHtml(reply, 200, (nonce) => askedPage({ ...verdict, nonce, link, expiresAt }));
  });
  // Forms are for this route alone, which takes nothing that a browser adds by itself.
  application.register(async (scope) => addForm(scope, application, desk));
};

interface Desk {
  readonly ports: Ports<Needs>;
  readonly guesses: GuessLimit;
  readonly isNew: (key: string) => boolean;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly link: string;
}

const linkSchema = z.looseObject({ link: z.string().catch('') });
const asked = (given: unknown) => linkSchema.catch({ link: '' }).parse(given);

const formSchema = z.object({
  link: z.string(),
  decision: z.enum(['approve', 'deny']),
  note: z
    .string()
    .transform((note) => note.trim())
    .pipe(z.string().max(MOST_NOTE)),
});

function addForm(scope: FastifyInstance, application: Application, desk: Desk): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  scope.post('/decide', { ...open, bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const form = formSchema.safeParse(request.body);
    const link = form.data?.link ?? asked(request.body).link;
    const found = await lookAt(application, desk, { request, reply, link });
    if (found === null) return reply;
    if (!form.success) {
      const texts = ['Go back, choose Approve or Deny, and keep the note below 4,000 characters.'];
      return tell(reply, { status: 400, title: 'Nothing was decided', texts });
    }
    return decide(application, desk, { request, reply, link }, { ...found, ...form.data });
  });
}

interface Found {
  readonly claims: ApprovalLink;
  readonly verdict: OpenLink;
}

/** Answers and returns null unless the link may decide now. */
async function lookAt(
  application: Application,
  desk: Desk,
  { request, reply, link }: Exchange,
): Promise<Found | null> {
  const { ports, guesses } = desk;
  try {
    const claims = await guesses(request.ip, link, async () => {
      const read = ports.links.read(link);
      if (read === null) throw new Refusal('unauthorized', 'Nobody here made this link.');
      return read;
    });
    const verdict = await judgeLink(ports, application.ownerOf, claims, Date.now());
    if (verdict.kind === 'open') return { claims, verdict };
    await logRefused(desk, request, { code: verdict.kind, claims, caller: verdict.caller });
    tell(reply, wordsOf(verdict, claims));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isLimited = error.code === 'rate_limited';
    if (error.code !== 'unauthorized' && !isLimited) throw error;
    await logRefused(desk, request, { code: isLimited ? 'rate_limited' : 'altered' });
    if (isLimited) reply.header('retry-after', Number(error.data.retryAfterSeconds ?? 60));
    tell(reply, isLimited ? LIMITED : ALTERED);
  }
  return null;
}

interface Decision extends Found {
  readonly decision: 'approve' | 'deny';
  readonly note: string;
}

/** The same call of the API that the principal would make, judged by the same rule at this moment. */
async function decide(
  application: Application,
  desk: Desk,
  { request, reply }: Exchange,
  { claims, verdict, decision, note }: Decision,
): Promise<FastifyReply> {
  const { goalId, approvalId } = claims;
  const { caller, whyNoApproval } = verdict;
  if (decision === 'approve' && whyNoApproval !== null) {
    await logRefused(desk, request, { code: 'may_not_approve', claims, caller });
    return tell(reply, { status: 403, title: 'Nothing was decided', texts: [whyNoApproval] });
  }
  const answered = await application.callAs({
    owner: claims.as,
    role: 'operator',
    method: 'POST',
    url: `/v1/goals/${encodeURIComponent(goalId)}/approvals/${encodeURIComponent(approvalId)}`,
    body: { decision, ...(note === '' ? {} : { note }) },
  });
  if (answered?.status === 200) {
    await log(desk, request, { what: 'link_used', caller, claims, data: { decision } });
    return tell(reply, doneWords(decision, verdict.approval));
  }
  const after = await judgeLink(desk.ports, application.ownerOf, claims, Date.now());
  const code = after.kind === 'open' ? 'not_taken' : after.kind;
  await logRefused(desk, request, { code, claims, caller });
  if (after.kind !== 'open') return tell(reply, wordsOf(after, claims));
  const { detail = 'The service did not take it.' } = (answered?.body ?? {}) as { detail?: string };
  const status = answered?.status ?? 403;
  return tell(reply, { status, title: 'Nothing was decided', texts: [detail] });
}

interface Words {
  readonly status: number;
  readonly title: string;
  readonly texts: readonly string[];
}

const NOTHING = 'This link changed nothing.';
const ALTERED: Words = {
  status: 404,
  title: 'No such link',
  texts: ['It was changed on its way, or another service made it, or its key is gone.', NOTHING],
};
const LIMITED: Words = {
  status: 429,
  title: 'Too many tries',
  texts: ['Too many unknown links came from this address. Try again in a minute.', NOTHING],
};

function wordsOf(verdict: Exclude<LinkVerdict, OpenLink>, { as, expiresAt }: ApprovalLink): Words {
  switch (verdict.kind) {
    case 'expired': {
      const text = `It worked until ${new Date(expiresAt).toISOString()}. What still waits is in the console.`;
      return { status: 410, title: 'This link has expired', texts: [text, NOTHING] };
    }
    case 'ended':
    case 'may_not':
      return {
        status: 403,
        title: 'This link decides no more',
        texts: [`It was made for ${as}, who may not decide this now.`, NOTHING],
      };
    case 'gone':
    case 'asked_anew':
      return {
        status: 409,
        title: 'This is not asked any more',
        texts: ['Look at the goal for what it waits for now.', NOTHING],
      };
    case 'decided':
      return decidedWords(verdict.approval);
  }
}

function decidedWords({ state, decidedBy, decidedAt }: Approval): Words {
  const text =
    state === 'superseded'
      ? 'The goal went on before anybody decided.'
      : `${decidedBy ?? 'Somebody'} ${state} it at ${decidedAt ?? 'an unknown time'}.`;
  return { status: 409, title: 'This was decided before', texts: [text, NOTHING] };
}

const doneWords = (decision: 'approve' | 'deny', { onApprove, onDeny }: Approval): Words => ({
  status: 200,
  title: decision === 'approve' ? 'Approved' : 'Denied',
  texts: [`What follows: ${decision === 'approve' ? onApprove : onDeny}.`],
});

const tell = (reply: FastifyReply, { status, title, texts }: Words): FastifyReply =>
  answerHtml(reply, status, (nonce) => toldPage(nonce, title, texts));

interface Tried {
  readonly code: string;
  readonly claims?: ApprovalLink;
  readonly caller?: Caller | null;
}

/** A link that is tried again and again is told once a minute. */
async function logRefused(desk: Desk, request: FastifyRequest, tried: Tried): Promise<void> {
  const { code, claims, caller = null } = tried;
  const key = JSON.stringify([request.ip, code, request.method, claims?.approvalId, claims?.as]);
  if (!desk.isNew(key)) return;
  const data = { code, method: request.method };
  await log(desk, request, { what: 'link_refused', caller, claims, data });
}

interface Entry {
  readonly what: 'link_used' | 'link_refused';
  readonly caller: Caller | null;
  readonly claims: ApprovalLink | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What was decided stands, and what was refused is refused, also while the log takes nothing. */
async function log(
  { ports }: Desk,
  request: FastifyRequest,
  { what, caller, claims, data }: Entry,
): Promise<void> {
  const entry = entryOf(request, what, {
    ...(caller === null ? {} : { caller }),
    subject: claims?.goalId ?? '/decide',
    result: what === 'link_used' ? 'done' : 'refused',
    data: {
      ...data,
      ...(claims === undefined ? {} : { approvalId: claims.approvalId, as: claims.as }),
    },
  });
  await ports.securityLog.add(entry).catch((error: Error) => {
    request.log.error({ err: error, entry }, 'the security log took no entry');
  });
}
