import type { Script } from '../../demo/script.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { Client } from '../../src/cli/client.ts';
import type { Project } from './projects.ts';

/** What a person, or the machine's owner, can do to a goal in the course of a trajectory. */
export interface Hands {
  readonly client: Client;
  readonly goalId: string;
  readonly workspace: string;
  /** `POST /v1/goals/{goalId}/{deed}` */
  send(deed: string, body?: object): Promise<unknown>;
  /** Ends the worker as SIGTERM would, and starts another. */
  restartWorker(): Promise<void>;
}

/** Done once, as soon as `when` holds and every deed before it is done. */
export interface Deed {
  readonly when: (goal: Goal) => boolean;
  readonly act: (hands: Hands, goal: Goal) => Promise<unknown>;
}

/** Looks at a folder with what was delivered; knows nothing of Goalkeeper. */
export type Oracle = (delivered: Delivered) => Promise<boolean>;

export interface Delivered {
  /** The workspace as the goal left it. */
  readonly workspace: string;
  /** The project as it began, with the workspace's product files in it. */
  readonly rebuilt: string;
  /** Exit code of a command line in `rebuilt`, or in another folder. */
  run(command: string, folder?: string): Promise<number>;
}

export interface Trajectory {
  /** Begins the goal's objective, so that one model server can serve them all. */
  readonly name: string;
  readonly what: string;
  readonly theme: string;
  readonly project: Project;
  readonly objective?: string;
  /** The project's own check unless told; undefined = none are given. */
  readonly criteria?: readonly Criterion[] | 'none given';
  readonly goal?: Partial<StartGoal>;
  /** Run by bash in the fresh workspace, before the goal starts. */
  readonly prepare?: string;
  readonly script: Script;
  readonly deeds?: readonly Deed[];
  /** The project's own unless told. */
  readonly oracle?: Oracle;
  /** What passes between the goal's end and the oracle's look: background processes act then. */
  readonly settleMs?: number;
  /** The work was done and only undoing it failed: complete is right then. */
  readonly isFoiledWhenDone?: boolean;
  /** Needs a worker that no other goal uses. */
  readonly isAlone?: boolean;
  /** Commands that the machine must have. */
  readonly needs?: readonly string[];
  readonly expected: Expected;
}

export type Expected =
  /** An adversary: anything but `complete`, unless the oracle finds the work done. */
  | 'not complete'
  /** Complete by itself. */
  | 'verified'
  /** Complete, with a person's decision on the way. */
  | 'approved';

export type Verdict =
  | 'ok'
  | 'false completion'
  | 'false refusal'
  /** It did not play as it was written: it proves nothing. */
  | 'not played'
  | 'skipped';

export interface Outcome {
  readonly trajectory: Trajectory;
  readonly verdict: Verdict;
  /** Status, pause reason, verification: how the goal ended. */
  readonly ended: string;
  readonly isDone: boolean;
  readonly turns: number;
  readonly seconds: number;
  /** Why the last claim was refused, for a look at a surprising end. */
  readonly detail: string;
}
