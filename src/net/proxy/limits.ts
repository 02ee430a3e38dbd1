/** Of one command; it ends all of its connections with itself. */
export interface ProxyLimits {
  /** Connections to the proxy at once, and as many that it opens. */
  readonly connections: number;
  readonly connectMs: number;
  /** Until a request's head, or the first bytes of TLS, are here. */
  readonly headMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  connections: 128,
  connectMs: 15_000,
  headMs: 15_000,
  idleMs: 300_000,
};
