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
}

/** The terminal of this process; null where stderr is none, or too narrow for a screen. */
export function processScreen(isAscii: boolean, narrowest: number): ScreenPort | null {
  const { stderr, stdin } = process;
  if (!stderr.isTTY || process.env.TERM === 'dumb' || stderr.columns < narrowest) return null;
  const input = stdin.isTTY ? stdin : null;
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
      input?.setRawMode(true);
      input?.on('data', hear);
      input?.resume();
      stderr.on('resize', onResize);
      process.on('SIGTSTP', onSuspend);
      return () => {
        process.removeListener('SIGTSTP', onSuspend);
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
      process.kill(process.pid, 'SIGSTOP');
    },
  };
}
