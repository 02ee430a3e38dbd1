import { closeSync, openSync } from 'node:fs';

/** Can a terminal's end reach this process? A service has none, wherever its output goes. */
function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

const endAsByTerm = () => void process.kill(process.pid, 'SIGTERM');

/**
 * Calls back at each SIGHUP of a process without a controlling terminal. Where there is one, SIGHUP
 * says that it was closed: the process ends in order. Kernel and shell may both say so.
 */
export function onHangUp(act: () => void, end: () => void = endAsByTerm): void {
  if (!hasControllingTerminal()) {
    process.on('SIGHUP', act);
    return;
  }
  let hasTold = false;
  process.on('SIGHUP', () => {
    if (!hasTold) end();
    hasTold = true;
  });
}

let onUnread: (() => void) | null = null;

/**
 * Calls back once nobody reads stdout or stderr any more: a closed pipe, or a terminal that is gone.
 * Without it the first line that follows would break the process off. Of several, the last one counts.
 */
export function onClosedOutput(act: () => void): void {
  const isFirst = onUnread === null;
  let hasTold = false;
  onUnread = () => {
    if (!hasTold) act();
    hasTold = true;
  };
  if (!isFirst) return;
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => onUnread?.());
}
