import type { RequestedCall } from '../contract/conversation.ts';
import type { Masker } from '../secrets/masker.ts';

/**
 * Secrets: masked wherever text is stored, and kept for a while in the process that received them.
 */
export interface Secrets {
  readonly mask: Masker;
  /** The arguments as the model wrote them. */
  keep(goalId: string, callId: string, input: string): void;
  recall(goalId: string, callId: string): string | null;
}

/** The original arguments; null when they held a secret and the process that knew it is gone. */
export function unmaskedInput(
  secrets: Secrets | undefined,
  goalId: string,
  { callId, input, isMasked }: RequestedCall,
): string | null {
  if (isMasked !== true) return input;
  const kept = secrets?.recall(goalId, callId) ?? null;
  // Arguments of a step that was never stored belong to another call.
  return kept !== null && secrets !== undefined && maskInput(kept, secrets.mask) === input
    ? kept
    : null;
}

/** Arguments are read before they are masked: JSON may write a secret in other characters. */
export const maskInput = (input: string, mask: Masker): string => mask.text(maskJson(input, mask));

function maskJson(text: string, mask: Masker): string {
  try {
    const given: unknown = JSON.parse(text);
    const masked = JSON.stringify(mask.value(given));
    return masked === JSON.stringify(given) ? text : masked;
  } catch {
    return text;
  }
}

/** Characters; a call whose arguments fell out is asked for again. */
const MOST_KEPT = 32_000_000;

export function createSecrets(mask: Masker): Secrets {
  const kept = new Map<string, string>();
  let size = 0;
  const drop = (key: string): void => {
    size -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  return {
    mask,
    keep(goalId, callId, input) {
      const key = `${goalId}/${callId}`;
      drop(key);
      kept.set(key, input);
      size += input.length;
      for (const oldest of kept.keys()) {
        if (size <= MOST_KEPT) break;
        drop(oldest);
      }
    },
    recall: (goalId, callId) => kept.get(`${goalId}/${callId}`) ?? null,
  };
}
