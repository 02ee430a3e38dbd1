/** A test's name with what the machine lacks for it. */
export const nameSkipped = (name: string, what: string): string => `${name} [skipped: ${what}]`;

/** What the machine lacks by a test's full name; null where it was not skipped for that. */
export const skippedFor = (fullName: string): string | null =>
  /\[skipped: ([^\]]+)\]/.exec(fullName)?.[1] ?? null;
