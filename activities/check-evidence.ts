import type { CheckEvidenceInput, Checked } from '../src/contract/activities.ts';
import { gatherEvidence } from '../src/evidence/gather.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withActivity } from './activity-context.ts';

export const checkEvidence =
  (ports: TurnPorts) =>
  (input: CheckEvidenceInput): Promise<Checked> =>
    withActivity((signal, scheduledAt) => gatherEvidence(ports, input, signal, scheduledAt));
