/** Type of the ApplicationFailure that carries a `Refusal` as `details[0]`. */
export const REFUSAL = 'Refusal';
/** Type of the failure that says: another run, attempt or epoch holds the goal. */
export const SUPERSEDED = 'Superseded';

export interface RefusalDetails {
  readonly code: string;
  readonly detail: string;
  readonly data: Readonly<Record<string, unknown>>;
}
