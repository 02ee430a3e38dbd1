import { createHash } from 'node:crypto';
import type { TriggerDelivery } from '../../../schema/trigger.ts';
import type { ArmedTrigger, NewDelivery, SignedDelivery } from '../../contract/triggers.ts';
import { eventOf } from '../../intake/triggers/event-of.ts';
import { judgeDelivery } from '../../intake/triggers/judge-delivery.ts';
import type { Ports } from '../application.ts';

export interface Received {
  readonly delivery: TriggerDelivery;
  readonly isNew: boolean;
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Judges a delivery whose signature is right, and stores it before anything comes of it. */
export async function receiveDelivery(
  { triggers, mask }: Ports<'triggers' | 'mask'>,
  trigger: ArmedTrigger,
  signed: SignedDelivery,
  body: Buffer,
): Promise<Received | null> {
  const { externalId, kind } = signed;
  const bodySha256 = sha256(body);
  // GitHub signs the body alone, so whoever saw one could send it again under another id.
  const isKnownByBody = kind === 'github';
  const knownBy = isKnownByBody ? ['body', bodySha256] : ['id', externalId];
  // One delivery has one id, also where somebody took its row out of the database.
  const id = sha256(JSON.stringify([trigger.triggerId, ...knownBy])).slice(0, 32);
  const journaled = { deliveryId: `td-${id}`, externalId, bodySha256, isKnownByBody };
  return triggers.journal(trigger.triggerId, {
    ...journaled,
    ...(trigger.isPaused ? leftOut(signed) : judged(trigger, signed, body, mask)),
  });
}

type Judged = Pick<NewDelivery, 'event' | 'state' | 'act' | 'outcome'>;

const leftOut = ({ event }: SignedDelivery): Judged => ({
  ...{ event, state: 'ignored', act: null },
  outcome: { place: 'paused', text: 'it came while the trigger was paused' },
});

function judged(
  trigger: ArmedTrigger,
  { event: told }: SignedDelivery,
  body: Buffer,
  mask: (text: string) => string,
): Judged {
  const payload = parsed(body);
  const event = eventOf(told, payload?.value);
  if (payload === null) {
    const text = 'The body is not JSON in UTF-8: let the sender send application/json.';
    return { event, state: 'refused', act: null, outcome: { place: 'body', text } };
  }
  const verdict = judgeDelivery(trigger, { event, body: payload.value }, mask);
  if (verdict.verdict === 'acts') {
    return { event, state: 'pending', act: verdict.act, outcome: { text: 'not done yet' } };
  }
  const { verdict: state, ...outcome } = verdict;
  return { event, state, act: null, outcome: { ...outcome, text: mask(outcome.text) } };
}

function parsed(body: Buffer): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return null;
  }
}
