import type { Checkpoint, Rewind } from '../../schema/checkpoint.ts';
import type { Outcome, Receipt } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import type { Fence } from './fence.ts';

export interface StoredCheckpoint extends Checkpoint {
  /** Commit of the snapshot in the goal's file store. */
  readonly commit: string;
  /** Version of the todo list then; 0 = there was none. */
  readonly todoRevision: number;
}

/** A goal's checkpoints are kept for so many days after its end. */
export const CHECKPOINTS_KEPT_DAYS = 30;

export interface NewCheckpoint {
  readonly name: string;
  readonly turn: number;
  readonly kind: Checkpoint['kind'];
  readonly commit: string;
  readonly changed: number;
  readonly leftOut: readonly string[];
  readonly unread: readonly string[];
}

/** A person's rewind order that isn't finished. */
export interface PendingRewind extends Pick<Rewind, 'number' | 'by'> {
  readonly target: StoredCheckpoint;
  /** The newest turn when it was ordered. */
  readonly turn: number;
  /** Others wrote in the workspace since it was ordered. */
  readonly haveOthersWritten: boolean;
  /** Its call in the ledger, once the files are done. */
  readonly settled: { readonly outcome: Outcome; readonly receipt: Receipt } | null;
}

/** The record's access to checkpoints; their files are stored beside it. */
export interface CheckpointsPort {
  /** Oldest first. */
  list(goalId: string): Promise<StoredCheckpoint[]>;
  /**
   * Names a snapshot, with the todo list and the write counter of this moment.
   * @param mayReplace a checkpoint of that name takes the new content; else it stays as it is
   * @throws Superseded
   */
  keep(fence: Fence, checkpoint: NewCheckpoint, mayReplace: boolean): Promise<StoredCheckpoint>;
  /** Records for people that the checkpoint failed, and why. */
  tellFailed(fence: Fence, turn: number, error: Error): Promise<void>;
  /** True when the workspace was too large for a checkpoint at this worker's last try. */
  isGivenUp(goalId: string): Promise<boolean>;
  pendingRewind(goalId: string): Promise<PendingRewind | null>;
  todosAt(goalId: string, revision: number): Promise<TodoList['items']>;
  /** Ends the order and tells the model with its next turn; once. */
  endRewind(
    fence: Fence,
    rewind: { readonly number: number; readonly state: 'done' | 'failed' } & Pick<
      Rewind,
      'changed' | 'left' | 'reason' | 'code' | 'edited'
    >,
    text: string,
  ): Promise<void>;
  /** The subset of these goals whose checkpoints nobody needs any more. */
  forgotten(goalIds: readonly string[]): Promise<string[]>;
}
