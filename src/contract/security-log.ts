import type { ChainVerdict } from '../../schema/ledger.ts';
import type { SecurityEntry, SecurityFilter } from '../../schema/security-log.ts';
import type { Page } from './reads.ts';

export type NewSecurityEntry = Omit<SecurityEntry, 'seq' | 'at'>;

/** Who did what from where. Entries are added, and nothing else. */
export interface SecurityLogPort {
  add(entry: NewSecurityEntry): Promise<void>;
  /** Is every entry what was written? */
  verify(): Promise<ChainVerdict>;
  /** All such entries about it, oldest first, as of now. */
  about(subject: string, what: readonly SecurityEntry['what'][]): Promise<readonly SecurityEntry[]>;
  /** Newest first. */
  page(
    page: SecurityFilter & { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<SecurityEntry>>;
}
