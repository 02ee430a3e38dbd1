import type { Drawable } from './live-area.ts';

export interface Listener {
  readonly onInput: (chunk: string) => void;
  readonly onResize: () => void;
  /** Ctrl Z where keys are not read one by one. */
  readonly onSuspend: () => void;
}

/** A terminal whose foot can be drawn anew. */
export interface ScreenPort extends Drawable {
  readonly isAscii: boolean;
  /** Null where keys can't be read. */
  readonly input: object | null;
  /** @returns what ends the listening and gives the terminal back as it was */
  listen(listener: Listener): () => void;
  /** Stops this process as Ctrl Z does; comes back with the foreground. */
  suspend(onBack: () => void): void;
  /** Gives keys and screen to another program until it ends; nothing may be drawn meanwhile. */
  lend<Result>(program: () => Promise<Result>): Promise<Result>;
}

/** The terminal of this process; null where stderr is none, or too narrow for a screen. */
export function processScreen(isAscii: boolean, narrowest: number): ScreenPort | null {
  const { stderr, stdin } = process;
  if (!stderr.isTTY || process.env.TERM === 'dumb' || stderr.columns < narrowest) return null;
  const input = stdin.isTTY ? stdin : null;
  let isLent = false;
  const stopHere = (): boolean => process.kill(process.pid, 'SIGSTOP');
  return {
    isAscii,
    input,
    write: (text) => stderr.write(text),
    get columns() {
      // Node learns of a new size by a signal, which may come behind the next drawing.
      (stderr as { _refreshSize?: () => void })._refreshSize?.();
      return stderr.columns;
    },
    listen({ onInput, onResize, onSuspend }) {
      const hear = (chunk: Buffer) => onInput(chunk.toString('utf8'));
      // A program that has the terminal is stopped beside this one, and goes on with it.
      const halt = () => (isLent ? stopHere() : onSuspend());
      input?.setRawMode(true);
      input?.on('data', hear);
      input?.resume();
      stderr.on('resize', onResize);
      process.on('SIGTSTP', halt);
      return () => {
        process.removeListener('SIGTSTP', halt);
        stderr.removeListener('resize', onResize);
        input?.removeListener('data', hear);
        input?.setRawMode(false);
        input?.pause();
      };
    },
    suspend(onBack) {
      input?.setRawMode(false);
      process.once('SIGCONT', () => {
        input?.setRawMode(true);
        onBack();
      });
      stopHere();
    },
    async lend(program) {
      // Ctrl C is the program's own.
      const heard = process.listeners('SIGINT');
      const ignore = () => {};
      process.removeAllListeners('SIGINT').on('SIGINT', ignore);
      input?.pause();
      input?.setRawMode(false);
      isLent = true;
      try {
        return await program();
      } finally {
        isLent = false;
        input?.setRawMode(true);
        input?.resume();
        process.removeListener('SIGINT', ignore);
        for (const listener of heard) process.on('SIGINT', listener);
      }
    },
  };
}
