import { Connection } from '@temporalio/client';
import { secured, type TemporalAddress } from './connection.ts';
import { diagnoseTls } from './diagnose-tls.ts';

/** Temporal can't be used as it is configured; `isAway` = nothing answers. */
export class TemporalNotReady extends Error {
  readonly wayOut: string;
  readonly isAway: boolean;

  constructor(what: string, wayOut: string, isAway: boolean, cause: unknown) {
    super(what, { cause });
    this.name = 'TemporalNotReady';
    this.wayOut = wayOut;
    this.isAway = isAway;
  }
}

const PATIENCE_MS = 5000;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/**
 * Does a Temporal answer there, and has it the namespace?
 * @throws TemporalNotReady
 */
export async function assertNamespace(temporal: TemporalAddress): Promise<void> {
  const { address, namespace, tls } = temporal;
  const connection = Connection.lazy({ address, ...(tls ? secured(tls) : {}) });
  try {
    await connection.withDeadline(Date.now() + PATIENCE_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    throw await notReady(temporal, error);
  } finally {
    await connection.close().catch(() => {});
  }
}

async function notReady(temporal: TemporalAddress, error: unknown): Promise<TemporalNotReady> {
  const { address, namespace, tls } = temporal;
  const { code, details } = error as { code?: number; details?: string };
  if (code === NOT_FOUND) {
    return new TemporalNotReady(
      `Temporal at ${address} has no namespace "${namespace}"`,
      `Correct TEMPORAL_NAMESPACE, or make it: temporal operator namespace create --namespace ${namespace}`,
      false,
      error,
    );
  }
  const said = details || (error instanceof Error ? error.message : String(error));
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
    const what = `Temporal at ${address} refuses this service in the namespace "${namespace}": ${said}`;
    return new TemporalNotReady(what, 'Correct TEMPORAL_API_KEY or its rights.', false, error);
  }
  const problem = tls ? await diagnoseTls(address, tls) : null;
  if (problem !== null) {
    const what = `Temporal at ${address} cannot be trusted: ${problem.message}`;
    return new TemporalNotReady(what, 'Correct the TEMPORAL_TLS_ settings.', false, error);
  }
  return new TemporalNotReady(
    `Temporal at ${address} doesn't answer: ${said}`,
    'Is it running, and is TEMPORAL_ADDRESS right?',
    true,
    error,
  );
}
