import type { Spend, SpendBy } from '../../../schema/operations.ts';
import type { SpendStanding } from '../../../schema/spend.ts';
import type { Page } from '../../contract/reads.ts';
import { costText } from '../cost-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { printable } from '../terminal.ts';

interface CostOptions extends CommonOptions {
  readonly by?: SpendBy;
  /** A moment, or a day as in `2026-11-26`, which begins in UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly timeZone?: string;
}

/** What the goals that the caller sees spent, and the limits that hold for it. */
export async function costs(options: CostOptions): Promise<ExitCode> {
  const session = openSession(options);
  const asked = new URLSearchParams();
  for (const name of ['by', 'from', 'to', 'timeZone'] as const) {
    const value = options[name];
    if (value !== undefined) asked.set(name, moment(value));
  }
  const [spend, limits] = await Promise.all([
    session.client.get<Spend>(`/v1/costs?${asked}`),
    session.client.get<Page<SpendStanding>>('/v1/costs/limits'),
  ]);
  print(session, { ...spend, limits: limits.items }, () =>
    printable(costText(spend, limits.items)),
  );
  return EXIT.complete;
}

const moment = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
