import { spawn } from 'node:child_process';
import { consoleLink } from '../console-link.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { findService } from '../service.ts';
import type { CommonOptions } from '../session.ts';
import { processTerminal } from '../terminal.ts';

/** Prints a link that signs in once, and opens it where a person sits at a desktop. */
export async function open(options: CommonOptions): Promise<ExitCode> {
  const { url, token } = findService(process.env);
  const terminal = processTerminal();
  const link = await consoleLink(url, [{ role: 'admin', token }]);
  if (link === null) {
    throw new UsageError(
      `No link can be made at ${url}.`,
      'Is it running ("goalkeeper status"), and is the token one that it knows?',
    );
  }
  terminal.out(options.json === true ? JSON.stringify({ url: link }) : link);
  if (terminal.isInteractive && options.json !== true) show(link);
  return EXIT.complete;
}

/** A machine without a browser has the link to copy. */
function show(link: string): void {
  const isMac = process.platform === 'darwin';
  if (!isMac && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const browser = spawn(isMac ? 'open' : 'xdg-open', [link], { detached: true, stdio: 'ignore' });
  browser.on('error', () => {});
  browser.unref();
}
