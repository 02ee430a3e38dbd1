/** Resolves when this process is asked to end: Ctrl-C, or whoever supervises it. */
export function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
