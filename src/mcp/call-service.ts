/** The service's answer; `body` is parsed JSON. */
export interface ServiceAnswer {
  readonly isOk: boolean;
  readonly body: unknown;
}

/** A call of the REST API under the role `agent`, whatever else its token may do. */
export type CallService = (call: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Repeats of one call carry the same. */
  readonly idempotencyKey?: string;
}) => Promise<ServiceAnswer>;
