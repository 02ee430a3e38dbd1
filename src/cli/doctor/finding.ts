export interface Finding {
  readonly check: string;
  /** False: something that goals need does not work. */
  readonly isGood: boolean;
  /** It works, and a person should know what it lacks. */
  readonly isWarning?: true;
  readonly detail: string;
}

export const good = (check: string, detail: string): Finding => ({ check, isGood: true, detail });
export const bad = (check: string, detail: string): Finding => ({ check, isGood: false, detail });
export const warning = (check: string, detail: string): Finding => ({
  ...{ check, isGood: true, isWarning: true, detail },
});
