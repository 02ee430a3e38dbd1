import type { Logger } from 'pino';
import { holdsKey, type NotifyTarget, type ServiceTarget, targetKey } from '../../schema/notify.ts';
import type {
  AddressedTarget,
  AttemptEnd,
  ClaimedDelivery,
  DeliveryStore,
} from '../contract/notices.ts';
import { startRounds } from '../process/rounds.ts';
import { type Posted, post } from './post.ts';
import { openSecret } from './seal.ts';
import { signedHeaders } from './sign.ts';
import { type PeoplePorts, toMail, toSlack } from './to-people.ts';

const EVERY_MS = 1000;
const PRUNE_EVERY_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt may take, so an expired lease means that its sender is dead. */
const LEASE_SECONDS = 20;
const AT_ONCE = 10;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds before the next attempt, by those that failed: about a day in all. */
const DELAYS: readonly number[] = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
];

export interface SenderPorts extends PeoplePorts {
  readonly store: DeliveryStore;
  readonly serviceTargets: readonly ServiceTarget[];
  /** Days after which a notification is deleted. */
  readonly keepDays: number;
  /** What else a delivery of a goal carries. */
  readonly headersOf?: (goalId: string) => Readonly<Record<string, string>>;
  readonly log: Logger;
}

/**
 * Works off the outbox of webhooks in every worker; each delivery has one sender at a time. A
 * sender that dies in the middle leaves it to the next one, which sends it under the same id.
 */
export function startSender(ports: SenderPorts, everyMs = EVERY_MS): { stop(): Promise<void> } {
  let prunedAt = 0;
  return startRounds(async () => {
    if (Date.now() - prunedAt > PRUNE_EVERY_MS) {
      prunedAt = Date.now();
      await forgetOld(ports);
    }
    const sent = await sendDue(ports).catch((error: unknown) => {
      ports.log.warn({ err: error }, 'webhooks were not sent');
      return 0;
    });
    return sent > 0;
  }, everyMs);
}

async function forgetOld({ store, keepDays, log }: SenderPorts): Promise<void> {
  try {
    while ((await store.prune(keepDays)) > 0);
  } catch (error) {
    log.warn({ err: error }, 'old notifications were not forgotten');
  }
}

/** One round. @returns how many attempts there were */
export async function sendDue(ports: SenderPorts): Promise<number> {
  const { store, serviceTargets } = ports;
  await store.address(serviceTargets.map(addressed));
  const claimed = await store.claim(AT_ONCE, LEASE_SECONDS);
  await Promise.all(claimed.map((delivery) => attempt(ports, delivery)));
  return claimed.length;
}

const addressed = (target: ServiceTarget): AddressedTarget => ({
  url: targetKey(target),
  ...(target.events === undefined ? {} : { events: target.events }),
});

async function attempt(ports: SenderPorts, delivery: ClaimedDelivery): Promise<void> {
  const posted = await send(ports, delivery);
  await ports.store.settle(delivery, endOf(posted, delivery.attempts, Date.now(), Math.random()));
}

async function send(ports: SenderPorts, delivery: ClaimedDelivery): Promise<Posted> {
  const known: readonly ServiceTarget[] =
    delivery.origin === 'goal' ? delivery.targets : ports.serviceTargets;
  const target = known.find((one) => targetKey(one) === delivery.url);
  if (target === undefined) return NOT_CONFIGURED;
  if ('slack' in target) return toSlack(ports, target, delivery, TIMEOUT_MS);
  if ('mailto' in target) return toMail(ports, target, delivery, TIMEOUT_MS);
  return toWebhook(ports, target, delivery);
}

const NOT_CONFIGURED: Posted = {
  kind: 'failed',
  error: 'its target or its secret is not configured',
};

async function toWebhook(
  ports: SenderPorts,
  target: NotifyTarget,
  { notificationId, goalId, url, body }: ClaimedDelivery,
): Promise<Posted> {
  const secret = secretOf(ports, target);
  if (secret === null) return NOT_CONFIGURED;
  const headers = {
    ...signedHeaders(notificationId, body, secret, Date.now()),
    ...ports.headersOf?.(goalId),
  };
  return post({ url, body, headers, timeoutMs: TIMEOUT_MS }, ports.addresses);
}

function secretOf({ environment, keys }: SenderPorts, target: NotifyTarget): string | null {
  const named = target.secretEnv === undefined ? undefined : environment[target.secretEnv];
  const own = target.secret === undefined ? null : openSecret(target.secret, target.url, keys);
  const secret = own ?? named;
  return secret === undefined || secret === '' || !holdsKey(secret) ? null : secret;
}

/** The result of an attempt. `random` (0–1) spreads retries by a fifth. */
export function endOf(posted: Posted, attempts: number, now: number, random: number): AttemptEnd {
  const status = posted.kind === 'answered' ? posted.status : null;
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered', status };
  const error = posted.kind === 'failed' ? posted.error : wordsFor(posted.status);
  const delay = DELAYS[attempts - 1];
  // 410: the receiver says that it is gone for good.
  const isOver = delay === undefined || status === 410;
  const seconds = (delay ?? 0) * (0.8 + random * 0.4);
  const retryAt = isOver ? null : new Date(now + seconds * 1000).toISOString();
  return { state: 'failed', status, error, retryAt };
}

const wordsFor = (status: number): string =>
  status >= 300 && status < 400
    ? `answered ${status}; redirects are not followed`
    : `answered ${status}`;
