/** Names the attempt that may write: beginnings and endings carry it. */
export interface Fence {
  readonly goalId: string;
  readonly epoch: number;
  readonly token: number;
}
