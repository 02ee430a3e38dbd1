/** Stored for this origin alone: no server and no page of another port gets it. */
const NAME = 'goalkeeper.console';

interface Kept {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Without browser storage the secret lasts as long as the page. */
let own: string | null = null;

function storage(): Kept | null {
  try {
    return (globalThis as { localStorage?: Kept }).localStorage ?? null;
  } catch {
    return null;
  }
}

export function keepConsoleSecret(secret: string | null): void {
  own = secret;
  storage()?.removeItem(NAME);
  if (secret === null) return;
  try {
    storage()?.setItem(NAME, secret);
  } catch {
    // The storage is full or disabled.
  }
}

/**
 * The secret that the service wants beside the session's cookie; looked up anew, as tabs share it.
 */
export function consoleHeaders(): Record<string, string> {
  return { 'x-goalkeeper-console': storage()?.getItem(NAME) ?? own ?? 'none' };
}
