/** Resolves when this process is asked to end, by Ctrl-C or by its supervisor. */
export function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
