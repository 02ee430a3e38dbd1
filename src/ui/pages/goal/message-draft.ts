import type { AttachedFile } from '../../view/attached-file.ts';

export interface MessageDraft {
  readonly text: string;
  readonly delivery: 'steer' | 'now' | 'pause';
  readonly files: readonly AttachedFile[];
}

export const emptyDraft: MessageDraft = { text: '', delivery: 'steer', files: [] };

/** What is left once a message was taken: whatever was typed or attached while it was on its way. */
export function leftOf(now: MessageDraft, sent: MessageDraft): MessageDraft {
  const taken = new Set(sent.files.map(({ attachmentId }) => attachmentId));
  return {
    text: now.text.startsWith(sent.text) ? now.text.slice(sent.text.length).trimStart() : now.text,
    files: now.files.filter(({ attachmentId }) => !taken.has(attachmentId)),
    // The end of a command is chosen anew for each message.
    delivery: now.delivery === 'now' ? 'steer' : now.delivery,
  };
}

const keyOf = (goalId: string): string => `goalkeeper.message.${goalId}`;

/** What was typed in this tab and not sent; a reload or another page loses nothing. */
export function readMessage(goalId: string): MessageDraft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(goalId)) ?? 'null') as object | null;
    return { ...emptyDraft, ...kept };
  } catch {
    return emptyDraft;
  }
}

/** A browser that keeps nothing only loses the draft. */
export function keepMessage(goalId: string, draft: MessageDraft): void {
  try {
    if (draft.text === '' && draft.files.length === 0) sessionStorage.removeItem(keyOf(goalId));
    else sessionStorage.setItem(keyOf(goalId), JSON.stringify(draft));
  } catch {}
}
