import type { Inbox } from '../../../schema/inbox.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { inboxLines } from '../inbox-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, openSession, print } from '../session.ts';

/** All that waits for a person, and the command that answers each. */
export async function inbox(
  options: CommonOptions & { readonly exitCode?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const found = await session.client.get<Inbox>('/v1/inbox?limit=200');
  print(session, found, () => inboxLines(found, Date.now(), resultLook()).join('\n'));
  return options.exitCode === true && found.total > 0 ? EXIT.waits : EXIT.complete;
}
