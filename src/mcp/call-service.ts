/** The service's answer; `body` is parsed JSON. */
export interface ServiceAnswer {
  readonly isOk: boolean;
  readonly body: unknown;
}

/** The folders in which the client works, and their names in the service. */
export interface Place {
  /** Absolute paths, the first one first; the client's own roots where it tells them. */
  folders(): Promise<readonly string[]>;
  /** Name of the workspace at a folder, which gets one where it has none: a person's right. */
  nameOf(folder: string): Promise<ServiceAnswer>;
}

/** A call of the REST API under the role `agent`, whatever else its token may do. */
export type CallService = (call: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Repeats of one call carry the same. */
  readonly idempotencyKey?: string;
}) => Promise<ServiceAnswer>;
