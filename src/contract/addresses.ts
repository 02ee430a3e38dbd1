/** Which addresses the service connects to for models and callers. */
export interface AddressRules {
  isPermitted(address: string): boolean;
  /** Is it named as one that may be reached although it is not public? */
  isNamed(address: string): boolean;
}
