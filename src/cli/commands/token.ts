import type { Role } from '../../../schema/role.ts';
import type { MadeToken, Token } from '../../../schema/token.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { tokenText } from '../token-text.ts';

export interface CreateOptions extends CommonOptions {
  readonly role: string;
  readonly workspace?: string[];
  readonly template?: string[];
  readonly days?: number;
  /** commander's name for the absence of `--no-expiry`. */
  readonly expiry: boolean;
}

/** The token alone goes to stdout, so that a script can keep it; what it is goes to stderr. */
export async function createToken(name: string, options: CreateOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { role, workspace, template, days, expiry } = options;
  const made = await session.client.send<MadeToken>('POST', '/v1/tokens', {
    name,
    // The service judges the word.
    role: role as Role,
    ...(workspace === undefined ? {} : { workspaces: workspace }),
    ...(template === undefined ? {} : { templates: template }),
    ...(expiry ? (days === undefined ? {} : { expiresInDays: days }) : { expiresInDays: null }),
  });
  if (!session.isJson) session.terminal.err(`${tokenText(made)}\nKeep it: it is shown this once.`);
  print(session, made, () => made.token);
  return EXIT.complete;
}

export async function listTokens(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { items } = await session.client.get<{ items: Token[] }>('/v1/tokens');
  print(session, items, () =>
    items.length === 0
      ? 'No tokens beside those of the settings.'
      : items.map(tokenText).join('\n'),
  );
  return EXIT.complete;
}

export async function revokeToken(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const path = `/v1/tokens/${encodeURIComponent(name)}`;
  const revoked = await session.client.send<Token>('DELETE', path, {});
  print(session, revoked, () => tokenText(revoked));
  return EXIT.complete;
}
