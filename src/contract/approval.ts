import type { ApprovalKind } from '../../schema/approval.ts';

/** A decided approval, as the gate looks at it. */
export interface DecidedApproval {
  readonly kind: ApprovalKind;
  readonly state: 'approved' | 'denied';
  /** Criterion or todo item. */
  readonly subject: string | null;
  readonly question: string | null;
  /** Hashes that were shown, for a basis approval. */
  readonly changes: Readonly<Record<string, string | null>>;
  readonly by: string;
  readonly note: string | null;
  /** Did the agent write after it was asked? */
  readonly isOvertaken: boolean;
  /** Did a person speak or resume since it was decided? Then it may be asked once more. */
  readonly wasSpokenSince: boolean;
}
