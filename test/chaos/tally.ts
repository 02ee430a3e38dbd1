import { appendFileSync } from 'node:fs';

/** How a goal can be wrong after a death. */
export type Wrong = 'lost' | 'doubled' | 'stuck' | 'overspent';

/** What one play did and found, which `npm run chaos:campaign` adds up. */
export interface Tally {
  readonly play: string;
  /** By process: `worker`, `api`, `temporal`, `postgres`. */
  readonly deaths: Readonly<Record<string, number>>;
  /** Stopped for longer than its heartbeat, then gone on. */
  readonly frozen: number;
  /** How often a line between machines fell silent. */
  readonly silent?: number;
  /** How often a disk was full. */
  readonly full?: number;
  /** Goals, due times or deliveries that were looked at. */
  readonly looked: number;
  readonly wrong: readonly Wrong[];
}

/** One line in the campaign's file; nothing where no campaign runs. */
export function tally(entry: Tally): void {
  const file = process.env.CHAOS_TALLY;
  if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}
