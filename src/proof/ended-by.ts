import type { CommandRun } from '../contract/effects.ts';

/** Why the host ended a command, for people and models; time limits are worded where they are known. */
const WORDS: Record<Exclude<CommandRun['ended'], 'exited' | 'timeout'>, string> = {
  cancelled: 'cancelled',
  output_limit: 'it printed too much',
  memory_limit: 'it used more memory than a command may',
  task_limit: 'it started more processes and threads than a command may',
  disk_limit: 'it wrote more to the disk than a command may, or filled it',
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
export function hintAt(run: Pick<CommandRun, 'exitCode' | 'output' | 'isolation'>): string {
  const { exitCode, output, isolation } = run;
  if (exitCode === null || exitCode === 0) return '';
  const limit = BY_KERNEL[exitCode];
  if (limit !== undefined) return limit;
  const isCutOff = isolation === 'full' && NO_NETWORK.test(Buffer.from(output).toString('utf8'));
  return isCutOff
    ? ' (commands have no network here; a person can allow it by policy.sandbox.network)'
    : '';
}
