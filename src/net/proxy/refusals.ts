/** Why a command doesn't get where it wants, in words that it and people read. */
export const refusals = {
  unreadable: 'names no host and port that can be read in exactly one way',
  not_listed: "is not among the domains that this goal's commands may reach",
  not_public: 'leads to an address that is not public, and no setting names it',
  unresolved: 'has no address',
  unanswered: 'does not answer',
  user_in_url: 'has a user in its URL',
  other_host: 'is not what the Host header says',
  not_http: 'is neither an http URL nor asked for with CONNECT',
  not_tls: 'was sent something else than TLS',
  no_server_name: 'was sent TLS that names no server',
  other_server_name: 'was sent TLS for another server',
  too_many: 'is one of too many connections at once',
} as const;

export type Refused = keyof typeof refusals;

/** A connection that is not made. */
export class ConnectionRefused extends Error {
  readonly why: Refused;

  constructor(why: Refused) {
    super(refusals[why]);
    this.name = 'ConnectionRefused';
    this.why = why;
  }
}
