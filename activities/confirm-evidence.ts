import type { ConfirmInput } from '../src/contract/activities.ts';
import { confirmEvidence as confirm } from '../src/evidence/confirm.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withFailures } from './failures.ts';

export const confirmEvidence =
  (ports: TurnPorts) =>
  (input: ConfirmInput): Promise<string[]> =>
    withFailures(() => confirm(ports, input));
