import { createHash } from 'node:crypto';

/**
 * The Merkle tree of RFC 9162, section 2.1, as a list that grows: of a tree with n leaves only the
 * roots of its whole subtrees are kept, one for each bit that is set in n, the largest first.
 */
export interface Tree {
  readonly size: number;
  readonly peaks: readonly string[];
}

export const emptyTree: Tree = { size: 0, peaks: [] };

const LEAF = Buffer.from([0]);
const INNER = Buffer.from([1]);

const hash = (...parts: readonly Buffer[]): string => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

export const leafHash = (content: string): string => hash(LEAF, Buffer.from(content));

const innerHash = (left: string, right: string): string =>
  hash(INNER, Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));

export function append({ size, peaks }: Tree, leaf: string): Tree {
  const left = [...peaks];
  let root = leaf;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
    root = innerHash(left.pop() ?? '', root);
  return { size: size + 1, peaks: [...left, root] };
}

export const appendAll = (tree: Tree, leaves: Iterable<string>): Tree => {
  let grown = tree;
  for (const leaf of leaves) grown = append(grown, leaf);
  return grown;
};

export function rootOf({ peaks }: Tree): string {
  const last = peaks.at(-1);
  if (last === undefined) return hash();
  return peaks.slice(0, -1).reduceRight((root, peak) => innerHash(peak, root), last);
}

/** Can there be a tree of this size with these peaks? */
export const isTree = ({ size, peaks }: Tree): boolean =>
  peaks.length === [...size.toString(2)].filter((bit) => bit === '1').length;
