import type { StoredRule } from '../../../schema/stored-rule.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { ruleText } from '../rule-text.ts';
import { type CommonOptions, openSession, print } from '../session.ts';

const RULES = '/v1/rules';

/** Those that hold, of all workspaces or of one. */
export async function listRules(
  workspace: string | undefined,
  options: CommonOptions & { readonly all?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const query = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  const { items } = await session.client.get<{ items: StoredRule[] }>(`${RULES}${query}`);
  const shown = options.all === true ? items : items.filter((rule) => rule.revokedAt === null);
  print(session, shown, () =>
    shown.length === 0
      ? 'No rule: each call that the policy asks about waits for a person.'
      : shown.map(ruleText).join('\n'),
  );
  return EXIT.complete;
}

export async function revokeRule(ruleId: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const path = `${RULES}/${encodeURIComponent(ruleId)}`;
  const rule = await session.client.send<StoredRule>('DELETE', path, {});
  print(session, rule, () => `${ruleText(rule)}\nSuch calls are asked about again.`);
  return EXIT.complete;
}
