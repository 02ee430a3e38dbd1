/** Which addresses the service connects to for models and callers. */
export interface AddressRules {
  isPermitted(address: string): boolean;
  /** True for a non-public address that the configuration allows. */
  isNamed(address: string): boolean;
}
