import { createHash } from 'node:crypto';
import type { SealedCheck } from '../../../schema/sealed.ts';
import type { SealedContent } from '../../contract/sealed.ts';
import type { CallEnd } from '../../contract/tool-call.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import { checkReview } from '../criteria/review.ts';
import type { GateRun } from '../criterion-check.ts';
import type { ProofTree } from '../proof/proof-tree.ts';
import { unrecorded } from '../unrecorded.ts';
import type { SealedOutcome } from './run.ts';

type SealedReview = Extract<SealedCheck, { kind: 'review' }>;

export const inputsOfReview = (sealedId: string, { entries }: ProofTree): string =>
  createHash('sha256').update(sealedId).update(treeId(entries)).digest('hex');

/** Asks the reviewer; the rubric goes to its provider and nowhere else. */
export async function reviewSealed(
  gate: GateRun,
  criterionId: string,
  { check, files }: Omit<SealedContent, 'check'> & { readonly check: SealedReview },
): Promise<SealedOutcome> {
  const ended: CallEnd[] = [];
  const { ports } = gate;
  const own: GateRun = {
    ...gate,
    ports: {
      ...ports,
      journal: {
        ...ports.journal,
        ...unrecorded((end) => ended.push(end)),
        // What it is asked holds what is sealed: the record has the call, and not its words.
        beginStep: (fence, { asked: _, ...step }) => ports.journal.beginStep(fence, step),
      },
      model: withoutWords(ports.model),
    },
  };
  const parts = files.map(({ path, content }) => `=== ${path}\n${Buffer.from(content)}`);
  const rubric = [check.rubric, ...parts].join('\n\n');
  const model = check.model === undefined ? {} : { model: check.model };
  const { state, reason } = await checkReview(own, {
    ...{ criterionId, spec: { kind: 'review', rubric, ...model } },
    ...{ state: 'unmet', baseline: 'unmet', origin: 'caller', receipts: [] },
  });
  const runs = ended.map(({ output }) => ({
    name: 'review',
    reason,
    output: Buffer.from(output ?? []).toString('utf8'),
  }));
  const isMet = state === 'met';
  return { state: isMet ? 'met' : 'unmet', reason, hint: null, report: null, runs };
}

/** A provider's error may repeat what it was asked, and is told as the goal's own trouble. */
const withoutWords = ({
  call,
  ...model
}: GateRun['ports']['model']): GateRun['ports']['model'] => ({
  ...model,
  call: async (request) => {
    const answer = await call(request);
    if (answer.kind !== 'trouble') return answer;
    const message = `the reviewer's provider: ${answer.trouble.kind}`;
    return { ...answer, trouble: { ...answer.trouble, message } };
  },
});
