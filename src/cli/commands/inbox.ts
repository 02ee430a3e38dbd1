import type { Inbox } from '../../../schema/inbox.ts';
import { inboxScreen, readInbox } from '../decide/inbox-screen.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { inboxLines } from '../inbox-text.ts';
import { NARROWEST } from '../screen/look.ts';
import { processScreen } from '../screen/port.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';
import { isAscii } from '../terminal.ts';

interface InboxOptions extends CommonOptions {
  readonly exitCode?: boolean;
  readonly plain?: boolean;
}

/**
 * All that waits for a person: answered in place at a terminal, elsewhere with the command that
 * answers each.
 */
export async function inbox(options: InboxOptions): Promise<ExitCode> {
  const session = openSession(options);
  const screen = isLooked(session, options) ? processScreen(isAscii(), NARROWEST) : null;
  if (screen?.input) {
    await inboxScreen(session, screen);
    return EXIT.complete;
  }
  const found: Inbox = await readInbox(session);
  print(session, found, () => inboxLines(found, Date.now(), resultLook()).join('\n'));
  return options.exitCode === true && found.total > 0 ? EXIT.waits : EXIT.complete;
}

const isLooked = ({ terminal, isJson }: Session, { plain, exitCode }: InboxOptions): boolean =>
  process.stdout.isTTY === true &&
  terminal.isInteractive &&
  !isJson &&
  plain !== true &&
  exitCode !== true;
