import type { Anchor, AnchorState, AnchorVerdict } from '../../schema/anchor.ts';

/** What a place keeps. */
export interface KeptAnchors {
  /** In their order. */
  readonly anchors: readonly Anchor[];
  /** Lines, from 1, that hold no anchor although nothing was cut off there. */
  readonly damaged: readonly number[];
}

/** Whether this database made that head. */
export type IsOwnHead = (head: Pick<Anchor, 'size' | 'root'>) => Promise<boolean>;

/** A place outside of the database that keeps heads. */
export interface AnchorTarget {
  /** As it was configured, without what is secret. */
  readonly name: string;
  /**
   * Keeps the head; one that it keeps already changes nothing.
   * @throws where the newest that it keeps is of another database
   */
  put(anchor: Anchor, isOwn: IsOwnHead): Promise<void>;
  /** null = it can't be read from here. */
  read: (() => Promise<KeptAnchors>) | null;
}

export interface AnchorsPort {
  state(): Promise<AnchorState>;
  /** Compares the database with these, or with all that the configured places keep. */
  verify(given: readonly Anchor[] | null): Promise<AnchorVerdict>;
}
