import { setImmediate as nextTurn } from 'node:timers/promises';

/** The event loop gets its turn at least this often. */
const SLICE_MS = 10;

/**
 * Thousands of synchronous calls of the file system take a tenth of the time of asynchronous ones;
 * between them the others get their turn.
 */
export class Slices {
  #end = performance.now() + SLICE_MS;

  /** Null while the slice lasts, so that nothing is waited for. */
  next(): Promise<void> | null {
    return performance.now() < this.#end ? null : this.#turn();
  }

  async #turn(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + SLICE_MS;
  }
}
