import type { CheckpointsPort } from '../contract/checkpoints.ts';
import type { JournalPort } from '../contract/journal.ts';

/** The ports of a rewind. */
export interface RewindPorts {
  readonly journal: Pick<JournalPort, 'brief' | 'startCall' | 'settleCall'>;
  readonly checkpoints: CheckpointsPort;
  /** The service's own folder, which holds the stores of checkpoints. */
  readonly home: string;
}
