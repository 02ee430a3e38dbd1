import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TriggerKind } from '../../schema/trigger.ts';
import type { SignedDelivery } from '../contract/triggers.ts';
import { signatureOf } from './sign.ts';

/** Seconds that a signed time may be off, as Standard Webhooks advises. */
const TOLERANCE_SECONDS = 300;
const MOST_SIGNATURES = 10;

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Presented {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `why` is for the trigger's owner: a sender hears the same of each. */
export type Verified =
  | { readonly isRight: true; readonly delivery: SignedDelivery }
  | { readonly isRight: false; readonly why: string };

type Verify = (presented: Presented, secret: string) => Verified;

/** Whether a delivery is its sender's. Compares in constant time. */
export const verifyDelivery = (kind: TriggerKind, presented: Presented, secret: string): Verified =>
  VERIFY[kind](presented, secret);

const VERIFY: Readonly<Record<TriggerKind, Verify>> = {
  standard({ headers, body, now }, secret) {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const given = headerOf(headers, 'webhook-signature');
    const wanted = signatureOf(id, timestamp, body, secret);
    const signatures = given.split(' ').slice(0, MOST_SIGNATURES);
    const matches = signatures
      .filter((signature) => /^v1,[\w+/]{43}=$/.test(signature))
      .map((signature) => isSame(Buffer.from(signature.slice(3), 'base64'), wanted));
    if (!matches.includes(true)) return wrong('webhook-signature is not the secret’s');
    const off = Math.abs(now / 1000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || !(off <= TOLERANCE_SECONDS))
      return wrong(
        `webhook-timestamp is more than ${TOLERANCE_SECONDS} s off: look at both clocks`,
      );
    return named('standard', id, 'webhook-id', null);
  },

  github({ headers, body }, secret) {
    const given = headerOf(headers, 'x-hub-signature-256');
    const wanted = createHmac('sha256', secret).update(body).digest();
    const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(given) ?? [];
    if (!isSame(Buffer.from(hex, 'hex'), wanted))
      return wrong('X-Hub-Signature-256 is not the secret’s');
    const event = headerOf(headers, 'x-github-event');
    return named('github', headerOf(headers, 'x-github-delivery'), 'X-GitHub-Delivery', event);
  },

  gitlab({ headers }, secret) {
    const isRight = isSame(digestOf(headerOf(headers, 'x-gitlab-token')), digestOf(secret));
    if (!isRight) return wrong('X-Gitlab-Token is not the secret');
    // A repeat of one delivery keeps its key; older versions send the event's id alone.
    const id = headerOf(headers, 'idempotency-key') || headerOf(headers, 'x-gitlab-event-uuid');
    const name = 'Idempotency-Key or X-Gitlab-Event-UUID';
    return named('gitlab', id, name, headerOf(headers, 'x-gitlab-event'));
  },
};

function named(
  kind: TriggerKind,
  externalId: string,
  header: string,
  event: string | null,
): Verified {
  if (!/^[\x21-\x7e]{1,200}$/.test(externalId))
    return wrong(`${header} has to name the delivery by 1 to 200 visible ASCII characters`);
  const delivery = { kind, externalId, event: event === null || event === '' ? null : event };
  return { isRight: true, delivery: { ...delivery, event: delivery.event?.slice(0, 120) ?? null } };
}

const wrong = (why: string): Verified => ({ isRight: false, why });

function headerOf(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: Buffer, wanted: Buffer): boolean =>
  given.length === wanted.length && timingSafeEqual(given, wanted);
