import type { AddressRules } from '../contract/addresses.ts';
import type { AnchorTarget } from '../contract/anchors.ts';
import { post } from '../webhooks/post.ts';
import { signedHeaders } from '../webhooks/sign.ts';

const TIMEOUT_MS = 10_000;

/** Posted as notifications are (Standard Webhooks), each time under the same id. */
export const webhookTarget = (
  url: string,
  secret: string,
  addresses: AddressRules,
): AnchorTarget => ({
  // A query may hold what is secret.
  name: url.split('?', 1)[0] ?? url,
  async put(anchor) {
    const body = JSON.stringify({ type: 'record.anchored', data: anchor });
    const headers = signedHeaders(`anchor-${anchor.size}`, body, secret, Date.now());
    const posted = await post({ url, body, headers, timeoutMs: TIMEOUT_MS }, addresses);
    if (posted.kind === 'failed') throw new Error(posted.error);
    if (posted.status < 200 || posted.status > 299) throw new Error(`it answered ${posted.status}`);
  },
  read: null,
});
