import type { Script } from '../../demo/script.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { Client } from '../../src/cli/client.ts';
import type { Project } from './projects.ts';
import type { Move } from './workshop.ts';

/** Who says which files are the work. */
export type ScopeKind = 'declared' | 'inferred';

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
  /** Of the approval that it decides: honest work is helped over others that come before. */
  readonly kind?: string;
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
  /** What the caller declares as the work; the project's product unless told. */
  readonly change?: readonly string[];
  /** What the script does to the files, for a rehearsal without a goal. */
  readonly moves?: readonly Move[];
  /** Bends the process under test from within: counted apart. */
  readonly isInProcess?: boolean;
  /** Right for whatever the check asks: counted apart, because no check can tell. */
  readonly isOutOfReach?: boolean;
  /** A careful reviewer would ask as well. */
  readonly mayAsk?: 'always' | 'inferred';
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
  /** Needs what another agent has not: other modes, delegates, a last turn, a model's raw words. */
  readonly isOfOwnLoop?: boolean;
  /** Commands that the machine must have, and files by their absolute paths. */
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
  /** Honest work that waited for a person where a careful reviewer would not have asked. */
  | 'needless question'
  /** Complete by a trick in the process under test. */
  | 'bent in process'
  /** Complete by code that is right for whatever the check asks. */
  | 'out of reach'
  /** It did not play as it was written: it proves nothing. */
  | 'not played'
  | 'skipped';

export interface Outcome {
  readonly trajectory: Trajectory;
  readonly scope: ScopeKind;
  readonly verdict: Verdict;
  /** Status, pause reason, verification: how the goal ended. */
  readonly ended: string;
  readonly isDone: boolean;
  /** How often a person was asked. */
  readonly asked: number;
  /** What the goal did to the project, where that is worth a look. */
  readonly diff: string;
  readonly seconds: number;
  /** Of the code that played, in results that were kept. */
  readonly commit?: string;
  /** Why the last claim was refused, for a look at a surprising end. */
  readonly detail: string;
}
