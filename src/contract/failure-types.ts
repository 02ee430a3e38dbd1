/** Type of the ApplicationFailure that carries a `Refusal` as `details[0]`. */
export const REFUSAL = 'Refusal';
/** Type of the failure that says: another run, attempt or epoch holds the goal. */
export const SUPERSEDED = 'Superseded';
/** Type of the failure that says: the run hands over to the next one, which takes the same update. */
export const COME_AGAIN = 'ComeAgain';

export interface RefusalDetails {
  readonly code: string;
  readonly detail: string;
  readonly data: Readonly<Record<string, unknown>>;
}
