/** Type of the ApplicationFailure that carries a `Refusal` as `details[0]`. */
export const REFUSAL = 'Refusal';
/** The same, where nobody ordered here what Temporal asks for. */
export const ORDER_REFUSED = 'OrderRefused';
/** Failure type: another run, attempt or epoch holds the goal. */
export const SUPERSEDED = 'Superseded';
/** Failure type: the run hands over to the next one, which takes the same update. */
export const COME_AGAIN = 'ComeAgain';
/** Failure type: the payload is not one that the service encrypted for this execution. */
export const PAYLOAD_REFUSED = 'PayloadRefused';

export interface RefusalDetails {
  readonly code: string;
  readonly detail: string;
  readonly data: Readonly<Record<string, unknown>>;
}
