import { confirmEvidence as confirm } from '../src/evidence/confirm.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { withFailures } from './failures.ts';

export interface ConfirmInput {
  readonly goalId: string;
  readonly fingerprint: string;
  /** When that fingerprint was taken, milliseconds. */
  readonly lookedAt: number;
}

export const confirmEvidence =
  (ports: TurnPorts) =>
  (input: ConfirmInput): Promise<string[]> =>
    withFailures(() => confirm(ports, input));
