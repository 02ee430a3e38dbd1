import type { Anchor, AnchorFault, AnchorLeaf } from '../../../schema/anchor.ts';
import { canonicalJson } from '../json.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from '../ledger/ledger-keys.ts';
import { appendAll, isTree, leafHash, rootOf } from './merkle.ts';

export const SECURITY_LOG = 'security-log';

export const hashLeaf = ({ subject, seq, head, seals, sealHead }: AnchorLeaf): string =>
  leafHash(canonicalJson({ subject, seq, head, seals, sealHead }));

type Head = Pick<Anchor, 'size' | 'root' | 'at'>;

export const signHead = (key: LedgerKey, { size, root, at }: Head): string =>
  digestUnder(key, (digest) => digest.update(canonicalJson(['anchor', size, root, at])));

const faulty = (
  { size }: Pick<Anchor, 'size'>,
  fault: AnchorFault['fault'],
  problem: string,
): AnchorFault => ({ size, fault, problem });

/** Is it a head that this service signed, and do its own leaves lead to it? */
export function headFault(anchor: Anchor, keys: LedgerKeys): AnchorFault | null {
  const { size, root, at, signature, from, leaves } = anchor;
  const name = `the anchor of ${at}`;
  const keyId = keyIdOf(signature);
  const key = keys.find(keyId ?? '');
  if (keyId !== null && key === undefined)
    return faulty(anchor, 'key', `${name} is signed with the key ${keyId}, which is not set`);
  if (key === undefined || signHead(key, anchor) !== signature)
    return faulty(anchor, 'forged', `${name} is not signed by this service`);
  const grown = isTree(from) ? appendAll(from, leaves.map(hashLeaf)) : null;
  if (grown?.size === size && rootOf(grown) === root) return null;
  return faulty(anchor, 'forged', `the leaves of ${name} don't lead to its root`);
}

/** Does the later one continue the earlier one? Both have to be valid. */
export function continuationFault(earlier: Anchor, later: Anchor): AnchorFault | null {
  const isSame = later.size === earlier.size;
  const follows = later.from.size === earlier.size;
  const root = isSame ? later.root : follows ? rootOf(later.from) : earlier.root;
  if (root === earlier.root) return null;
  const what = `the anchor of ${later.at} does not continue the one of ${earlier.at}`;
  return faulty(later, 'inconsistent', `${what}: one of them is of another history`);
}
