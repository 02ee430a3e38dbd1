import type { Reached } from '../../schema/network.ts';
import type { CommandRun } from '../contract/effects.ts';

/** Why the host ended a command, for people and models; time limits are worded where they are known. */
const WORDS: Record<Exclude<CommandRun['ended'], 'exited' | 'timeout'>, string> = {
  cancelled: 'cancelled',
  output_limit: 'it printed too much',
  memory_limit: 'it used more memory than a command may',
  task_limit: 'it started more processes and threads than a command may',
  disk_limit: 'it wrote more to the disk than a command may, or filled it',
  file_limit: 'it made more files than a command may, or used up those that the disk can hold',
  plant_left:
    'git settings that commands may have left here could not be taken away, so none may run',
  git_unanswered:
    'git did not say which settings there are, so nobody knows what commands left in them, and none may run',
};

/** Signals by which the kernel holds a process to its limits, as exit codes. */
const BY_KERNEL: Readonly<Record<number, string>> = {
  152: ' (a process used more processor time than it may)',
  153: ' (a file grew larger than it may)',
};

export function endedBy({ ended }: Pick<CommandRun, 'ended'>): string | null {
  return ended === 'exited' || ended === 'timeout' ? null : WORDS[ended];
}

const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no such host/i;

/** The likely outside cause of an exit code; empty if none is known. */
export function hintAt(
  run: Pick<CommandRun, 'exitCode' | 'output' | 'isolation' | 'reached'>,
): string {
  const { exitCode, output, isolation, reached } = run;
  if (exitCode === null || exitCode === 0) return '';
  const limit = BY_KERNEL[exitCode];
  if (limit !== undefined) return limit;
  const refused = (reached ?? []).filter((place) => place.refused !== undefined);
  if (refused.length > 0) return ` (${refused.slice(0, SHOWN_PLACES).map(wordsOf).join('; ')})`;
  if (!NO_NETWORK.test(Buffer.from(output).toString('utf8'))) return '';
  if (reached !== undefined) return BY_PROXY;
  return isolation === 'full' ? CUT_OFF : '';
}

const SHOWN_PLACES = 3;
const wordsOf = ({ to, refused }: Reached): string => `${to} ${refused}`;
const CUT_OFF = ' (commands have no network here; a person can allow it by policy.sandbox.network)';
const BY_PROXY =
  ' (commands reach listed domains here by HTTP_PROXY and HTTPS_PROXY only; programs that ignore these reach nothing)';
