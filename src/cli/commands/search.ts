import type { Found } from '../../../schema/search.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Look } from '../screen/look.ts';
import { resultLook } from '../screen/result-look.ts';
import { foundLines } from '../search-text.ts';
import { type CommonOptions, openSession, print } from '../session.ts';

interface SearchOptions extends CommonOptions {
  readonly limit?: number;
}

const ENOUGH = 20;

/** Looks on until enough goals are found, or all were looked at: a request looks for a second. */
export async function search(words: string, options: SearchOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { limit = ENOUGH } = options;
  const items: Found[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({
      q: words,
      limit: String(Math.min(50, limit - items.length)),
    });
    if (cursor !== null) query.set('cursor', cursor);
    const page: Page<Found> = await session.client.get<Page<Found>>(`/v1/search?${query}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < limit);
  const look: Look = resultLook();
  print(session, { items, nextCursor: cursor }, () =>
    foundLines({ words, items, hasMore: cursor !== null }, look).join('\n'),
  );
  return EXIT.complete;
}
