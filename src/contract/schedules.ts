import type { Cadence } from '../../schema/cadence.ts';
import type { Role } from '../../schema/role.ts';
import type {
  CatchUp,
  Heartbeat,
  Overlap,
  Schedule,
  ScheduledStart,
  SchedulePause,
  ScheduleRunState,
} from '../../schema/schedule.ts';
import type { StoredRequest } from './intake.ts';
import type { NewSecurityEntry } from './security-log.ts';
import type { Owned, Sight } from './sight.ts';

export type ScheduleAction =
  | { readonly start: ScheduledStart; readonly wake?: undefined }
  | { readonly wake: Heartbeat; readonly start?: undefined };

/** A schedule as somebody made it, or changed it last. */
export interface MadeSchedule {
  readonly scheduleId: string;
  readonly name: string;
  readonly workspace: string;
  /** The name and the role that it acts by. */
  readonly owner: string;
  readonly role: Role;
  /** Only what it started exists for it. */
  readonly seesOwn: boolean;
  readonly when: Cadence;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly catchUpSeconds: number;
  readonly action: ScheduleAction;
  readonly createdAt: string;
}

export interface KeptSchedule {
  readonly made: MadeSchedule;
  readonly revision: number;
}

export type ScheduleAct = 'pause' | 'resume' | 'run' | 'delete';

/** How the API reaches schedules. What changes one answers its request in the same transaction. */
export interface SchedulesPort {
  /** @throws Refusal name_taken, invalid_transition where the owner has too many */
  add(request: StoredRequest, made: MadeSchedule, entry: NewSecurityEntry): Promise<void>;
  /** @throws Refusal not_found, invalid_transition */
  change(
    request: StoredRequest,
    scheduleId: string,
    act: ScheduleAct,
    entry: NewSecurityEntry,
  ): Promise<void>;
  /** As it is stored, with what no answer shows; null where it is none, or was deleted. */
  kept(scheduleId: string): Promise<KeptSchedule | null>;
  /**
   * What came due before is decided by what was said before.
   * @param restsOn revisions that the change was thought out on: the schedule still has them all
   * @throws Refusal not_found, name_taken, goal_conflict
   */
  amend(
    request: StoredRequest,
    made: MadeSchedule,
    restsOn: readonly number[],
    entry: NewSecurityEntry,
  ): Promise<void>;
  /** Those that were not deleted, by name. */
  list(sight: Sight): Promise<Schedule[]>;
  /** With its newest runs; null for one that never was. */
  get(scheduleId: string, mostRuns: number): Promise<Schedule | null>;
  owner(scheduleId: string): Promise<Owned | null>;
}

/** A due time that has to be carried out, with what its schedule says now. */
export interface OpenRun {
  readonly dueAt: string;
  readonly schedule: MadeSchedule;
  readonly isDeleted: boolean;
  /** It is what people made it. */
  readonly isIntact: boolean;
}

export type RunEnd = {
  readonly state: Extract<ScheduleRunState, 'started' | 'woken' | 'skipped' | 'refused'>;
  readonly reason?: string;
  readonly goalId?: string;
  readonly messageId?: string;
  /** Nothing that it could do comes back: the schedule pauses itself. */
  readonly pauses?: Extract<SchedulePause, 'owner_ended' | 'goal_over'>;
};

/** What carries due times out, one at a time for all API processes. */
export interface ScheduleRunsPort {
  /** @returns false when another process has the lock; `work` then didn't run */
  withLock(work: () => Promise<void>): Promise<boolean>;
  /** Whether there is anything to do. */
  hasOpen(): Promise<boolean>;
  /** Due ones, the earliest first; also those that waited and need to wait no longer. */
  open(): Promise<OpenRun[]>;
  /** What was begun counts, also where the run was given up meanwhile. */
  settle(run: OpenRun, end: RunEnd): Promise<void>;
  /** It is tried again; people are told why. */
  troubled(run: OpenRun, reason: string): Promise<void>;
}

/** What Temporal is told of a schedule: when to look at it, under its id. */
export interface Alarm {
  readonly scheduleId: string;
  readonly when: Cadence;
  readonly createdAt: string;
  /** False while it is paused. */
  readonly isOn: boolean;
  readonly isDeleted: boolean;
  readonly revision: number;
}

/** What decides due times; the workers'. */
export interface AlarmsPort {
  /**
   * Decides all due times that have come, under the schedule's lock, each once.
   * @returns milliseconds until the next one; null = none comes
   * @throws OrderRefused for an id that is no schedule's
   */
  look(scheduleId: string): Promise<number | null>;
  /** Schedules whose due time has passed and that nobody looked at. */
  overdue(): Promise<string[]>;
  /** Alarms that Temporal was not told of as they are now. */
  untold(): Promise<Alarm[]>;
  /** All that Temporal should have. */
  standing(): Promise<Alarm[]>;
  told(alarm: Alarm): Promise<void>;
}
