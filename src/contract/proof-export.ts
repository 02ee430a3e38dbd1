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
