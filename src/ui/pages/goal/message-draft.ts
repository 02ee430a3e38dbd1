import type { AttachedFile } from '../../view/attached-file.ts';

export interface MessageDraft {
  readonly text: string;
  readonly delivery: 'steer' | 'now' | 'pause';
  readonly files: readonly AttachedFile[];
}

export const emptyDraft: MessageDraft = { text: '', delivery: 'steer', files: [] };

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
