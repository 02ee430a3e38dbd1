import { emptyForm, type StartForm } from '../../view/start-form.ts';

const KEY = 'goalkeeper.start';

/** The draft of this tab, not started yet; a reload loses nothing. */
export function readDraft(): StartForm {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<StartForm> | null;
    const empty = emptyForm();
    return kept === null
      ? empty
      : { ...empty, ...kept, policy: { ...empty.policy, ...kept.policy } };
  } catch {
    return emptyForm();
  }
}

/** A browser that keeps nothing only loses the draft. */
export function keepDraft(form: StartForm | null): void {
  try {
    if (form === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(form));
  } catch {}
}
