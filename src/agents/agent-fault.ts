export type FaultKind =
  /** Its program is not on this worker. */
  | 'not_installed'
  /** It ended, or said nothing, before it could be asked. */
  | 'not_started'
  | 'other_protocol'
  /** It wants a person to sign in. */
  | 'needs_login'
  /** It answered with an error. */
  | 'refused'
  | 'died'
  | 'flooded'
  /** Its turn took longer than it may. */
  | 'timed_out';

/** Why an agent's turn has no end of its own. The message is for people. */
export class AgentFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.name = 'AgentFault';
    this.kind = kind;
  }
}
