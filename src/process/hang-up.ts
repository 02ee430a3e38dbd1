/** Is somebody's terminal behind this process? */
const hasTerminal = (): boolean =>
  process.stdin.isTTY === true || process.stdout.isTTY === true || process.stderr.isTTY === true;

/** Calls back at each SIGHUP. With a terminal, whose end it tells of, it ends the process as ever. */
export function onHangUp(act: () => void): void {
  if (!hasTerminal()) process.on('SIGHUP', act);
}
