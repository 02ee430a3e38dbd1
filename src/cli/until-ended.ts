import { EXIT, type ExitCode } from './exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

/** Resolves when this process is asked to end, by Ctrl-C or by its supervisor. */
export const untilEnded = (): Promise<void> => endable(() => process.exit(130)).ended;

/**
 * The same for a process that ends in order, which takes a moment.
 * @param onAgain at each signal behind the first: somebody doesn't want to wait
 */
export function endable(onAgain: () => void): {
  readonly ended: Promise<void>;
  /** Ends it for another reason than a signal. */
  readonly end: () => void;
} {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let signals = 0;
  const told = () => {
    signals += 1;
    if (signals === 1) end();
    else onAgain();
  };
  for (const signal of SIGNALS) process.on(signal, told);
  return { ended, end };
}

/** Work that ends in order, with all that it started, at the first signal; a second one breaks it off. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stop = new AbortController();
  const told = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, told);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, told);
  }
}
