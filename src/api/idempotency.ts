import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Goal } from '../../schema/goal.ts';
import { PROBLEMS } from '../../schema/problem.ts';
import { Refusal } from '../contract/failures.ts';
import type { IntakePort, StoredRequest } from '../contract/intake.ts';
import { sees, seesAll, sightOf } from '../policy/sight.ts';
import { type Ports, principalOf } from './application.ts';
import { noSuchGoal } from './goal-lookup.ts';

interface Result {
  readonly httpStatus: number;
  readonly body: unknown;
  /** A stored answer to an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** The request as it is stored before it is acted on; null without an idempotency key. */
export function storedRequest(request: FastifyRequest, goalId: string | null): StoredRequest {
  const body = request.body ?? {};
  const principal = principalOf(request);
  const named = {
    principal,
    route: `${request.method} ${request.url.split('?', 1)[0]}`,
    key: String(request.headers['idempotency-key'] ?? `once-${randomUUID()}`),
  };
  return {
    ...named,
    bodyHash: hashOf({ body, ifMatch: request.headers['if-match'] ?? null }),
    body: withoutSecrets(body),
    commitId: principal.isTrigger === true ? `act-${actOf(named)}` : randomUUID(),
    goalId,
  };
}

/**
 * Names what the service itself is asked to do by a schedule or a trigger. What comes of it bears the
 * name, so it comes once, also where somebody takes the request out of the database.
 */
const actOf = ({
  principal,
  route,
  key,
}: Pick<StoredRequest, 'principal' | 'route' | 'key'>): string =>
  hashOf([principal.name, route, key]).slice(0, 32);

/** The goal that such a request begins. */
export const goalOfAct = (stored: StoredRequest): string => `g-${actOf(stored).slice(0, 16)}`;

/** Secrets of webhooks are stored only with their goal. */
function withoutSecrets(body: unknown): unknown {
  const { notify, [THEN]: following } = body as { notify?: unknown; [THEN]?: unknown };
  const without = (target: object) => ({ ...target, secret: undefined });
  return {
    ...(body as object),
    ...(Array.isArray(notify) && { notify: notify.map(without) }),
    ...(Array.isArray(following) && { [THEN]: following.map(withoutSecrets) }),
  };
}

/** Goals that come after the first one. */
const THEN = 'then';

/**
 * Stores the request and acts once. The commit stores the answer with it: the goal as it was then.
 * After a crash behind the commit, the retry gets that answer. A refused request is deleted; after
 * a server's failure the outcome is unknown, so the request stays.
 */
export async function answerOnce(
  intake: IntakePort,
  stored: StoredRequest,
  act: (stored: StoredRequest) => Promise<unknown>,
  hasLeft: () => boolean = () => false,
): Promise<Result> {
  const { principal, route, key } = stored;
  return inTurn(`${principal.name} ${route} ${key}`, async (hasWaited) => {
    // While no worker answers, each abandoned request would block the next ones until its timeout.
    if (hasWaited && hasLeft()) throw new Refusal('request_in_progress', 'Its caller has left');
    return await actOnce(intake, stored, act);
  });
}

/** Tells whether the caller has disconnected. */
export const hasLeft =
  ({ raw }: FastifyRequest) =>
  (): boolean =>
    raw.socket.destroyed;

async function actOnce(
  intake: IntakePort,
  stored: StoredRequest,
  act: (stored: StoredRequest) => Promise<unknown>,
  tries = 1,
): Promise<Result> {
  const reserved = await intake.reserveRequest(stored);
  if (reserved.kind === 'answered') return resultOf(reserved, true);
  const { commitId } = reserved;
  try {
    await act({ ...stored, commitId });
  } catch (error) {
    if (!isFinalRefusal(error)) throw error;
    if (isForgotten(error) && tries < MOST_TRIES) {
      return actOnce(intake, { ...stored, commitId: randomUUID() }, act, tries + 1);
    }
    // An earlier attempt may have been committed although its caller got no answer.
    const committed = await intake.answerOf(commitId);
    if (committed !== null) return resultOf(committed, false);
    await intake.dropRequest(commitId);
    throw error;
  }
  const committed = await intake.answerOf(commitId);
  if (committed === null) throw new Error(`${stored.route} committed no answer`);
  return resultOf(committed, false);
}

const resultOf = (
  { httpStatus, answer }: { httpStatus: number; answer: unknown },
  isReplay: boolean,
): Result => ({ httpStatus, body: answer, isReplay });

function isFinalRefusal(error: unknown): boolean {
  return error instanceof Refusal && PROBLEMS[error.code].status < 500;
}

/** Another API process refused a request with the same key and deleted the row. */
const isForgotten = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'request_in_progress';

/** Each retry needs another process that refuses the same key at just that moment. */
const MOST_TRIES = 3;

/**
 * An answer that was stored earlier is judged again: its caller may see less by now.
 * @throws Refusal not_found
 */
export async function admitReplay(
  { reader }: Ports<'reader'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { body, isReplay }: Result,
): Promise<void> {
  if (!isReplay) return;
  const { goalId } = body as Pick<Goal, 'goalId'>;
  const sight = sightOf(principalOf(request));
  const owner = seesAll(sight) ? null : await reader.owner(goalId);
  if (!seesAll(sight) && (owner === null || !sees(sight, owner))) throw noSuchGoal(goalId);
  reply.header('idempotency-replayed', 'true');
}

const lastOf = new Map<string, Promise<unknown>>();

/**
 * Requests with one key run one after the other: a second one must not act while the first may
 * still be refused and forgotten.
 */
async function inTurn(key: string, act: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const before = lastOf.get(key);
  const next = () => act(true);
  const mine = before === undefined ? act(false) : before.then(next, next);
  lastOf.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lastOf.get(key) === mine) lastOf.delete(key);
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
