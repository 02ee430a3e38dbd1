import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { triggerDeliverySchema } from '../../../schema/trigger.ts';
import { Refusal } from '../../contract/failures.ts';
import { verifyDelivery } from '../../webhooks/verify.ts';
import type { Application, Ports, Route } from '../application.ts';
import { openOperation } from '../contract.ts';
import { type ActNeeds, actOnDelivery } from '../triggers/act.ts';
import { createHookGuesses, type HookGuesses } from '../triggers/guesses.ts';
import { type Received, receiveDelivery } from '../triggers/receive.ts';

/** Senders give up after ten seconds, and some after five. */
const PATIENCE_MS = 4000;
const BODY_LIMIT = 1024 * 1024;

const TURNED_AWAY: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: `a body above ${BODY_LIMIT} bytes`,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'its Content-Type is none: let the sender send application/json',
};

type Needs = ActNeeds | 'triggers' | 'mask';

/** Takes deliveries from outside: who has no token is judged by the signature alone. */
export const hookRoutes: Route<Needs> = (application, ports) => {
  const guesses = createHookGuesses();
  // The signature is of the bytes as they came, whatever their type says.
  application.register(async (scope) => {
    const raw = scope as unknown as Application;
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    );
    addRoute(raw, ports, guesses);
  });
};

function addRoute(application: Application, ports: Ports<Needs>, guesses: HookGuesses): void {
  application.route({
    method: 'POST',
    url: '/v1/hooks/:triggerId',
    config: { isOpen: true },
    bodyLimit: BODY_LIMIT,
    schema: {
      ...openOperation('receiveDelivery', {
        tag: 'triggers',
        summary: 'Take a delivery that is signed with the trigger’s secret, and act on it once',
        answer: triggerDeliverySchema,
        status: 202,
      }),
      params: z.strictObject({ triggerId: z.string() }),
    },
    // What the framework turned away was never looked at; its owner may want to know.
    onError: async (request, _reply, error) => {
      const { triggerId } = request.params as { triggerId: string };
      const why = TURNED_AWAY[(error as { code?: string }).code ?? ''];
      if (why !== undefined) await ports.triggers.noteRefused(triggerId, why);
    },
    handler: async (request, reply) => {
      const { delivery, isNew } = await receive(ports, guesses, request);
      if (!isNew) reply.header('idempotency-replayed', 'true');
      if (delivery.state === 'pending') await actSoon(application, ports, delivery.deliveryId);
      const acted = await ports.triggers.delivery(delivery.deliveryId);
      return reply.code(202).send(acted ?? delivery);
    },
  });
}

/** @throws Refusal, the same for whatever is not the delivery of a known sender */
async function receive(
  ports: Ports<Needs>,
  guesses: HookGuesses,
  request: FastifyRequest,
): Promise<Received> {
  const { triggerId } = request.params as { triggerId: string };
  guesses.admit(request.ip, triggerId);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const trigger = isTriggerId(triggerId) ? await ports.triggers.armed(triggerId) : null;
  const presented = { headers: request.headers, body, now: Date.now() };
  // An unknown id takes as long, and is answered alike.
  const { kind = 'standard' } = trigger ?? {};
  const verified = verifyDelivery(kind, presented, trigger?.secret ?? NOBODYS);
  if (trigger === null || trigger.secret === null || !verified.isRight) {
    guesses.wrong(request.ip);
    const why = verified.isRight || trigger?.secret === null ? UNOPENED : verified.why;
    if (trigger !== null) await ports.triggers.noteRefused(triggerId, why);
    throw refused();
  }
  guesses.right(request.ip, triggerId);
  const received = await receiveDelivery(ports, trigger, verified.delivery, body).catch(
    async (error: unknown) => {
      // Beyond what it takes in an hour nothing is kept, so its owner sees this alone.
      if (error instanceof Refusal && error.code === 'rate_limited')
        await ports.triggers.noteRefused(triggerId, error.message);
      throw error;
    },
  );
  if (received === null) throw refused();
  return received;
}

const isTriggerId = (text: string): boolean => /^trg-[0-9a-f]{32}$/.test(text);

/** What takes longer goes on, and the rounds look after it. */
async function actSoon(
  application: Application,
  ports: Ports<ActNeeds>,
  deliveryId: string,
): Promise<void> {
  const { callAs, ownerOf } = application;
  const acting = actOnDelivery({ ...ports, callAs, ownerOf }, deliveryId).catch((error: Error) => {
    application.log.warn({ err: error, deliveryId }, 'a delivery waits');
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([acting, late]);
  clearTimeout(timer);
}

/** Never a trigger's: those are made by people or by the service. */
const NOBODYS = 'nobody has this secret';

const UNOPENED = 'no key here opens the secret: its row was changed, or GOALKEEPER_SEALED_KEYS was';

const refused = (): Refusal =>
  new Refusal(
    'unauthorized',
    'There is no such trigger, or the delivery is not signed with its secret, or not of these five minutes.',
  );
