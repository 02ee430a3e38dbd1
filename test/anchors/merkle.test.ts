import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendAll, emptyTree, isTree, leafHash, rootOf } from '../../src/store/anchors/merkle.ts';

const sha = (...parts: (string | Buffer)[]) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** The definition of RFC 9162, section 2.1.1, word by word. */
function treeHash(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.from([0]), leaves[0] ?? '');
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha(Buffer.from([1]), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

it('REC-20 a tree that grows leaf by leaf has the root of RFC 9162 at each size', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 70 }), fc.nat(70), (leaves, cut) => {
      const first = appendAll(emptyTree, leaves.slice(0, cut).map(leafHash));
      const grown = appendAll(first, leaves.slice(cut).map(leafHash));
      expect(rootOf(first)).toBe(treeHash(leaves.slice(0, cut)).toString('hex'));
      expect(rootOf(grown)).toBe(treeHash(leaves).toString('hex'));
      expect([isTree(first), isTree(grown)]).toEqual([true, true]);
      expect(isTree({ ...grown, peaks: [...grown.peaks, leafHash('')] })).toBe(false);
    }),
  );
});
