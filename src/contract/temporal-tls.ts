/** How Temporal is reached where it isn't the embedded one. */
export interface TemporalTls {
  /** PEM file of who signed the server's certificate; null = the authorities that Node trusts. */
  readonly caFile: string | null;
  /** PEM files that show the server who asks. */
  readonly client: { readonly certFile: string; readonly keyFile: string } | null;
  /** The name in the server's certificate, where it isn't the address's host. */
  readonly serverName: string | null;
  readonly apiKey: string | null;
}

export const TLS_PROBLEMS = {
  certificate_unreadable: 'a certificate or key file cannot be read',
  client_certificate_expired: "the service's own certificate has expired",
  client_certificate_refused: 'Temporal asks for a certificate that it trusts, and got none',
  server_certificate_expired: "Temporal's certificate has expired",
  server_certificate_untrusted: "Temporal's certificate is signed by nobody who is trusted here",
  server_name_differs: "Temporal's certificate is for another name",
  no_tls: 'what answers there does not speak TLS',
  access_refused: 'Temporal refuses this service: its API key, or its rights in the namespace',
} as const;

export type TlsProblem = keyof typeof TLS_PROBLEMS;

/** Why Temporal can't be used, by a name that people can look up. */
export class TemporalTlsError extends Error {
  override readonly name = 'TemporalTlsError';
  readonly problem: TlsProblem;

  constructor(problem: TlsProblem, detail?: string) {
    super(`${problem}: ${TLS_PROBLEMS[problem]}${detail === undefined ? '' : ` (${detail})`}`);
    this.problem = problem;
  }
}
