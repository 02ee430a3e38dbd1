import type { ChainVerdict } from '../../../schema/ledger.ts';
import type { Database } from '../client.ts';
import type { Row } from '../row.ts';
import { type ChainBreak, isBreak } from './ledger-chain.ts';
import { keyIdOf, type LedgerKeys } from './ledger-keys.ts';
import { WAY_OUT } from './ledger-verify.ts';
import { byAnyKey } from './seals.ts';
import {
  formerDigest,
  logStart,
  securitySeal,
  type WalkedLog,
  walkEntry,
} from './security-chain.ts';
import { readEntries } from './security-entries.ts';

type Head = Row<'security_head', 'number' | 'hash' | 'seal'>;

/** Is the security log, from its first entry to its end, what was written? */
export function verifySecurityLog(db: Database, keys: LedgerKeys): Promise<ChainVerdict> {
  return db.begin('isolation level repeatable read read only', async (tx) => {
    const former = formerDigest();
    let at: WalkedLog = logStart;
    for await (const rows of readEntries(tx)) {
      for (const row of rows) {
        if (row.number === null && at.number === 0) {
          former.add(row);
          continue;
        }
        const walked = walkEntry(at, row, keys);
        if (isBreak(walked)) return broken(walked, at);
        at = walked;
      }
    }
    const [head] = await tx<Head[]>`SELECT number, hash, seal FROM security_head`;
    const stood = former.end();
    const found = findEndFault(at, head, keys) ?? findFormerFault(at, stood);
    if (found !== null) return broken(found, at);
    return { holds: true, rows: at.number, sealedFrom: at.sealedFrom, adopted: stood.before };
  }) as Promise<ChainVerdict>;
}

function findEndFault(at: WalkedLog, head: Head | undefined, keys: LedgerKeys): ChainBreak | null {
  if (head === undefined || head.number !== at.number || head.hash !== at.hash) {
    const problem = `the log's end (entry number ${at.number}) is not what was written last: it was cut off, or its end was replaced`;
    return { at: at.number, fault: 'missing', problem };
  }
  if (keys.sealing === null) return null;
  const keyId = keyIdOf(head.seal ?? '');
  if (head.seal === null || keyId === null)
    return { at: at.number, fault: 'unsealed', problem: "the log's end is not sealed" };
  if (keys.find(keyId) === undefined)
    return {
      at: at.number,
      fault: 'key',
      problem: `the log's end is sealed with the key ${keyId}`,
    };
  if (byAnyKey(keys, (key) => securitySeal(key, head)).includes(head.seal)) return null;
  return { at: at.number, fault: 'missing', problem: "the log's end is not what was sealed last" };
}

/** The first sealed entry vouches for what stood there before. */
function findFormerFault(
  { former }: WalkedLog,
  stood: { readonly before: number; readonly sha256: string },
): ChainBreak | null {
  if (former === null || (former.before === stood.before && former.sha256 === stood.sha256))
    return null;
  const problem = `of the ${former.before} entries from before the chain ${stood.before} are there`;
  return former.before === stood.before
    ? { at: 0, fault: 'edited', problem: 'an entry from before the chain was edited' }
    : { at: 0, fault: 'missing', problem };
}

const broken = (found: ChainBreak, { number, sealedFrom }: WalkedLog): ChainVerdict => ({
  holds: false,
  rows: number,
  sealedFrom,
  ...found,
  wayOut: WAY_OUT[found.fault],
});
