import { writeFileAtomically } from '../../../src/workspace/helper/write-file.ts';
import { sha256 } from '../../../src/workspace/paths.ts';
import { CONTENTS } from './write-contents.ts';

/** Writes one content after the other, until somebody kills it. */
const [, , path = ''] = process.argv;
for (let round = 0; ; round += 1) {
  const [before, after] = round % 2 === 0 ? CONTENTS : CONTENTS.toReversed();
  const expected = sha256(Buffer.from(before as string));
  const order = { path, content: Buffer.from(after as string), expected, callId: 't1.s1.1' };
  await writeFileAtomically(order);
  if (round === 0) process.send?.('writing');
}
