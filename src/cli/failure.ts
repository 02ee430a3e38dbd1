import type { Problem, ProblemCode } from '../../schema/problem.ts';
import type { ConfigError } from '../contract/config.ts';
import { Refusal } from '../contract/failures.ts';
import { type DiskFault, diskFaultOf, pathOfFault } from '../process/disk-fault.ts';
import { ApiProblem, ServiceAway } from './client.ts';
import { EXIT, type ExitCode, UsageError } from './exit-code.ts';
import { printable } from './terminal.ts';
import { UnknownTurn } from './turn/unknown-turn.ts';
import { UnknownGoal } from './unknown-goal.ts';

const waysOut: Record<ProblemCode, string> = {
  invalid_request: 'Correct the field and try again.',
  malformed_json: 'Send a JSON body.',
  unknown_model: 'Name it as provider/model, such as openai/gpt-5.1.',
  model_key_missing: 'Set the variable for the service and start it again.',
  unknown_workspace: 'Serve it with "goalkeeper worker --workspace NAME=PATH", or give a path.',
  budget_too_small: 'Give at least that much.',
  budget_above_maximum: 'Ask for less.',
  unsupported: 'Leave it out, or use a command criterion.',
  unauthorized: 'Set GOALKEEPER_TOKEN to a token that the service knows.',
  forbidden: 'Use the token of an operator or admin.',
  approver_is_starter: 'Ask a person who did not start the goal.',
  not_found: 'See "goalkeeper list".',
  no_longer_kept: 'The ledger, the turns and their decisions are kept: look there.',
  goal_removed: 'Read its archive with "goalkeeper show --archive FILE".',
  goal_conflict: 'Look at it with "goalkeeper show" and decide again.',
  invalid_transition: 'Look at it with "goalkeeper show".',
  cannot_apply: 'Nothing was changed: settle that in the workspace, and try again.',
  name_taken: 'Choose another name.',
  already_answered: 'Nothing is left to do.',
  workspace_busy: 'Try again when that goal paused or ended.',
  request_in_progress: 'Wait for the first request.',
  payload_too_large: 'Shorten the text.',
  idempotency_mismatch: 'Use a new key.',
  rate_limited: 'Wait a little.',
  internal: 'See the log of the service.',
  database_unavailable: 'Try again; "goalkeeper doctor" says what is away.',
  temporal_unavailable: 'Try again; "goalkeeper doctor" says what is away.',
  provider_unavailable: 'Look at GOALKEEPER_OIDC, and whether the provider answers.',
  worker_unavailable: 'Start a worker that serves the workspace.',
};

export interface Failure {
  readonly what: string;
  readonly field: string | null;
  readonly wayOut: string;
  readonly exitCode: ExitCode;
  readonly json: unknown;
}

/** The failure, its place, and the remedy. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UnknownGoal) return { ...problemFailure(error), wayOut: error.wayOut };
  if (error instanceof ApiProblem) return problemFailure(error);
  if (error instanceof UnknownTurn) return unknownTurn(error);
  if (error instanceof UsageError) return plain(error, error.wayOut, EXIT.usage);
  if (error instanceof ServiceAway) {
    return plain(error, 'Start it with "goalkeeper up", or check GOALKEEPER_URL.', EXIT.usage);
  }
  if (error instanceof Refusal) return plain(error, waysOut[error.code], EXIT.incomplete);
  if (error instanceof Error && error.name === 'ConfigError') return wrongSetting(error);
  if (error instanceof Error && isOfSetup.has(error.name)) {
    return plain(error, 'Correct that and start again.', EXIT.usage);
  }
  if (error instanceof Error && isOfFile.has(error.name)) return refusedFile(error);
  if (error instanceof Error && error.name === 'CheckRefused') return refusedCheck(error);
  if (error instanceof Error && 'wayOut' in error && typeof error.wayOut === 'string') {
    // A supervisor may try again where nothing answered; the rest is for a person.
    const isAway = 'isAway' in error && error.isAway === true;
    return plain(error, error.wayOut, isAway ? EXIT.incomplete : EXIT.usage);
  }
  const fault = diskFaultOf(error);
  if (fault !== null) return refusedByDisk(error as Error, fault);
  const broken = error instanceof Error ? error : new Error(String(error));
  return plain(broken, 'This is a defect; please report it.', EXIT.incomplete);
}

function problemFailure({ problem }: ApiProblem): Failure {
  return {
    what: `${problem.title}: ${problem.detail}`,
    field: problem.field ?? null,
    wayOut: wayOutOf(problem),
    exitCode: problem.status >= 500 || problem.status === 409 ? EXIT.incomplete : EXIT.usage,
    json: problem,
  };
}

/** Where a field names what is not there, or not this person's, goals and tokens are no way out. */
const isOfField = new Set<ProblemCode>(['not_found', 'forbidden']);
const wayOutOf = ({ code, field }: Problem): string =>
  waysOut[field !== undefined && isOfField.has(code) ? 'invalid_request' : code];

function unknownTurn(error: UnknownTurn): Failure {
  const { message, field, nearest, wayOut } = error;
  const json = { code: 'not_found', field, detail: message, nearest, wayOut };
  return { ...plain(error, wayOut, EXIT.usage), field, json };
}

/** Its message says the way out as well, for logs. */
function wrongSetting(error: Error & Partial<ConfigError>): Failure {
  const { variable, problem, wayOut = '' } = error;
  return { ...plain(error, wayOut, EXIT.usage), what: `${variable} ${problem}.` };
}

/** Known by their names, like the errors of the setup. */
const isOfFile = new Set(['BundleRefused', 'ArchiveRefused']);

function refusedFile(error: Error & { code?: string; wayOut?: string }): Failure {
  const { message, code, wayOut = '' } = error;
  const failure = plain(error, wayOut, exitOfRefusal(error));
  return {
    ...failure,
    what: `refused (${code}): ${printable(message)}`,
    json: { code, detail: message, wayOut },
  };
}

/** What holds and is not proven is left to a person. */
export const exitOfRefusal = ({ code }: { readonly code?: string }): ExitCode =>
  code === 'not_verified' ? EXIT.waits : EXIT.incomplete;

function refusedCheck(error: Error & { problem?: string; wayOut?: string }): Failure {
  const { message, problem, wayOut = '' } = error;
  const failure = plain(error, wayOut, EXIT.usage);
  return { ...failure, json: { code: problem, detail: message, wayOut } };
}

function plain(error: Error, wayOut: string, exitCode: ExitCode): Failure {
  return {
    what: error.message,
    field: null,
    wayOut,
    exitCode,
    json: { detail: error.message, wayOut },
  };
}

/** No defect: a disk, a name or a right, which a person mends. */
function refusedByDisk(error: Error, { why, wayOut }: DiskFault): Failure {
  const failure = plain(error, wayOut, EXIT.usage);
  const path = pathOfFault(error);
  return path === null
    ? failure
    : { ...failure, what: printable(`${path}: ${why} (${error.message})`) };
}

/** Errors are known by name, so that no command loads the configuration or stack for them. */
const isOfSetup = new Set(['MigrationError', 'PriceFileError', 'AlreadyRunning']);
