import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { goalTable } from '../goal-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { silentModels } from '../silent-models.ts';

export interface ListOptions extends CommonOptions {
  readonly status?: string;
  readonly workspace?: string;
  readonly archived?: boolean;
  readonly limit?: number;
}

export async function list(options: ListOptions): Promise<ExitCode> {
  const session = openSession(options);
  const query = new URLSearchParams();
  for (const name of ['status', 'workspace', 'archived', 'limit'] as const) {
    if (options[name] !== undefined) query.set(name, String(options[name]));
  }
  const page = await session.client.get<Page<Goal>>(`/v1/goals?${query}`);
  const silent = session.isJson ? undefined : await silentModels(session.client, page.items);
  print(session, page, () =>
    page.items.length === 0 ? 'no goals' : goalTable(page.items, resultLook().goalLink, silent),
  );
  return EXIT.complete;
}
