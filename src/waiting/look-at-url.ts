import type { AddressRules } from '../contract/addresses.ts';
import { sendRequest, UrlRefused } from '../net/send-request.ts';
import type { WaitCheck } from './looking.ts';

const PATIENCE_MS = 15_000;
const MOST_REDIRECTIONS = 5;

/** Holds when the URL, or where it leads, answers with a status of success. */
export async function lookAtUrl(
  url: string,
  { addresses, signal }: { readonly addresses: AddressRules; readonly signal: AbortSignal },
): Promise<WaitCheck> {
  let next = url;
  try {
    for (let hops = 0; hops <= MOST_REDIRECTIONS; hops += 1) {
      const request = { url: next, timeoutMs: PATIENCE_MS, addresses, signal };
      const { status, location } = await sendRequest(request);
      const leadsOn = status >= 300 && status < 400 && location !== null;
      if (!leadsOn) return { holds: status >= 200 && status < 300, seen: `it answered ${status}` };
      next = URL.parse(location, next)?.href ?? location;
    }
    return { holds: false, seen: `more than ${MOST_REDIRECTIONS} redirections` };
  } catch (error) {
    if (error instanceof UrlRefused) return { holds: false, seen: error.message, isRefused: true };
    return { holds: false, seen: `no answer: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (typeof code === 'string' ? code : (message ?? String(error))).slice(0, 200);
}
