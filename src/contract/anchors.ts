import type { Anchor, AnchorState, AnchorVerdict } from '../../schema/anchor.ts';

/** A place outside of the database that keeps heads. */
export interface AnchorTarget {
  /** As it was configured, without what is secret. */
  readonly name: string;
  /** Keeps the head; one that it keeps already changes nothing. */
  put(anchor: Anchor): Promise<void>;
  /** All that it keeps, in their order; null = it can't be read from here. */
  read: (() => Promise<Anchor[]>) | null;
}

export interface AnchorsPort {
  state(): Promise<AnchorState>;
  /** Compares the database with these, or with all that the configured places keep. */
  verify(given: readonly Anchor[] | null): Promise<AnchorVerdict>;
}
