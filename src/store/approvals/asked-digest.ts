import { createHash } from 'node:crypto';
import type { Approval } from '../../../schema/approval.ts';
import { canonicalStorable } from '../json.ts';

/** Names what a person was asked: with other data it is another question. */
export const askedDigest = ({
  approvalId,
  goalId,
  kind,
  turn,
  data,
}: Pick<Approval, 'approvalId' | 'goalId' | 'kind' | 'turn' | 'data'>): string =>
  createHash('sha256')
    .update(canonicalStorable(['asked', goalId, approvalId, kind, turn, data]))
    .digest('base64url');
