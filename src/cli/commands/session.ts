import type { EndedSessions, OpenSession } from '../../../schema/session.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';

export async function listSessions(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { items } = await session.client.get<{ items: OpenSession[] }>('/v1/sessions');
  print(session, items, () =>
    items.length === 0 ? 'No browser is signed in.' : items.map(sessionText).join('\n'),
  );
  return EXIT.complete;
}

export async function endSessions(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const path = `/v1/sessions/${encodeURIComponent(name)}`;
  const ended = await session.client.send<EndedSessions>('DELETE', path, {});
  print(session, ended, () => `${name}: ${ended.ended} ended`);
  return EXIT.complete;
}

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

function sessionText({
  name,
  role,
  workspaces,
  signedInBy,
  since,
  expiresAt,
}: OpenSession): string {
  const parts = [
    `${name} ${role}`,
    workspaces === null ? 'all workspaces' : workspaces.join(', '),
    `by ${signedInBy === 'token' ? 'a token' : 'the provider'} since ${minute(since)}`,
    `until ${minute(expiresAt)}`,
  ];
  return parts.join(' · ');
}
