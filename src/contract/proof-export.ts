/** Proofs as files that others verify without this service. */
export interface ProofExporter {
  /**
   * The signed bundle of a completed goal.
   * @throws Refusal
   */
  export(goalId: string): Promise<string>;
  /**
   * The public key that its signatures are verified with, PEM.
   * @throws Refusal
   */
  publicKey(): string;
}

/** What one link shows: this proof of this goal, until then. */
export interface ProofLink {
  /** The one that is taken back by this name. */
  readonly linkId: string;
  readonly goalId: string;
  /** The ledger's head in the proof: another proof of the goal is not shown. */
  readonly head: string;
  /** Name of the token whose rights count whenever it is opened. */
  readonly as: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Links to proofs; those of another installation, or with another key, are altered ones. */
export interface ProofLinksPort {
  /** null = no key signs here */
  sign(link: ProofLink): string | null;
  /** null = nobody here made it */
  read(text: string): ProofLink | null;
}
