/** Identifies the attempt that may write; every beginning and ending carries it. */
export interface Fence {
  readonly goalId: string;
  readonly epoch: number;
  readonly token: number;
}
