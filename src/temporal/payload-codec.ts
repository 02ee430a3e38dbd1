import type { Payload, PayloadCodec } from '@temporalio/common';
import {
  type RefusedPayload,
  type SecurityRefusal,
  standIn,
  type WhyRefused,
  whyRefused,
} from '../contract/refused-payload.ts';
import { decrypt, encrypt } from '../sealed/cipher.ts';
import type { SealedKeys } from '../sealed/keys.ts';

/** Tells people of what is refused; it must not throw or block. */
export type TellRefusal = (refusal: SecurityRefusal) => void;

export type Side = Parameters<typeof createPayloadCodec>[1];

type Context = Parameters<PayloadCodec['decode']>[1];

/** A payload that is not believed, where nobody can be asked to do without it. */
export class PayloadRefused extends Error {
  override readonly name = 'PayloadRefused';
  readonly refused: RefusedPayload;

  constructor(refused: RefusedPayload) {
    super(`A payload from Temporal is refused: ${whyRefused(refused)}`);
    this.refused = refused;
  }
}

const ENCODING = Buffer.from('binary/encrypted');
const KEY_ID = 'encryption-key-id';

/**
 * Encrypts all that is sent to Temporal, bound to the execution that it is for, and to the activity.
 * A client throws at what it doesn't believe. A worker gets a stand-in, because a codec that throws
 * fails the workflow task, and anybody could stop a goal by one bad update. Only what no outsider
 * sends without ending the activity itself, its input or result under a key that is not here, is
 * thrown there too: the goal stands until the key is back, and goes on as if nothing had been.
 */
export function createPayloadCodec(
  keys: SealedKeys,
  side: { readonly is: 'client' } | { readonly is: 'worker'; readonly tell: TellRefusal },
): PayloadCodec {
  const refuse = (why: WhyRefused, keyId: string | null, context: Context): Payload => {
    const refused = { why, keyId };
    if (side.is === 'client') throw new PayloadRefused(refused);
    if (why === 'key') {
      const name = context?.type === 'activity' ? (context.activityId ?? '') : '';
      side.tell({ ...refused, what: 'payload', name, workflowId: context?.workflowId ?? '' });
      if (context?.type === 'activity') throw new PayloadRefused(refused);
    }
    return jsonPayload(standIn(refused));
  };
  const open = (payload: Payload, context: Context): Payload => {
    const { metadata, data } = payload;
    if (!ENCODING.equals(Buffer.from(metadata?.encoding ?? []))) {
      return refuse('plain', null, context);
    }
    const keyId = Buffer.from(metadata?.[KEY_ID] ?? [])
      .toString('latin1')
      .slice(0, 40);
    const key = keys.find(keyId);
    if (key === undefined) return refuse('key', keyId, context);
    const opened = decrypt(key, placeOf(context), Buffer.from(data ?? []));
    return opened === null ? refuse('forged', keyId, context) : unpacked(opened);
  };
  return {
    async encode(payloads, context) {
      const key = keys.sealing();
      const keyId = Buffer.from(key.keyId);
      const place = placeOf(context);
      return payloads.map((payload) => ({
        metadata: { encoding: ENCODING, [KEY_ID]: keyId },
        data: encrypt(key, place, packed(payload)),
      }));
    },
    decode: async (payloads, context) => payloads.map((payload) => open(payload, context)),
  };
}

/**
 * An activity's id is unique in all runs of its workflow id. The namespace is left out, so that a
 * history can be replayed elsewhere.
 */
const placeOf = (context: Context): string =>
  JSON.stringify(
    context === undefined
      ? []
      : [
          context.workflowId ?? '',
          ...(context.type === 'activity' ? [context.activityId ?? ''] : []),
        ],
  );

const LENGTH_BYTES = 4;

/** The length of a JSON header with the metadata, the header, and the data. */
function packed({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {});
  const header = entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.byteLength);
  // The SDK gives an empty list where there are no bytes.
  return Buffer.concat([length, text, Buffer.from(data ?? [])]);
}

function unpacked(bytes: Buffer): Payload {
  const start = LENGTH_BYTES + bytes.readUInt32BE(0);
  const header = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start)) as [string, string][];
  const metadata = header.map(([name, text]) => [name, Buffer.from(text, 'base64')] as const);
  return { metadata: Object.fromEntries(metadata), data: bytes.subarray(start) };
}

const jsonPayload = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
