import type { StartGoal } from '../../schema/goal.ts';
import type { Role } from '../../schema/role.ts';
import type {
  DeliveryOutcome,
  DeliveryState,
  NewTrigger,
  Trigger,
  TriggerDelivery,
  TriggerKind,
} from '../../schema/trigger.ts';
import type { NewSecurityEntry } from './security-log.ts';
import type { Sight } from './sight.ts';

/** What a trigger does, and by whose rights: nothing of it changes. */
export interface TriggerTerms
  extends Pick<NewTrigger, 'name' | 'kind' | 'filter' | 'parameters' | 'action' | 'mostPerHour'> {
  readonly triggerId: string;
  readonly owner: string;
  readonly ownerRole: Role;
}

/** A trigger that a delivery names, with its secret; `secret` null = no key here opens it. */
export interface ArmedTrigger extends TriggerTerms {
  readonly secret: string | null;
  readonly isPaused: boolean;
}

/** A delivery as it came, once its signature was found right. */
export interface SignedDelivery {
  readonly kind: TriggerKind;
  readonly externalId: string;
  /** As a header of its sender says; null = the payload says it. */
  readonly event: string | null;
}

/** What a delivery does, with the payload's values filled in. */
export type TriggerAct =
  | { readonly kind: 'start'; readonly goal: StartGoal }
  | {
      readonly kind: 'message';
      readonly goalId?: string;
      readonly threadId?: string;
      readonly text: string;
    }
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly text: string;
      readonly values: Readonly<Record<string, string>>;
    };

/** Its first row; one that has nothing to do is settled at once. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly externalId: string;
  readonly bodySha256: string;
  /** A body that came before is the same delivery: its sender signs no id. */
  readonly isKnownByBody: boolean;
  readonly event: string | null;
  readonly state: Extract<DeliveryState, 'pending' | 'ignored' | 'refused'>;
  readonly act: TriggerAct | null;
  readonly outcome: DeliveryOutcome;
}

/** One that this process alone acts on, until its lease is over. */
export interface ClaimedTriggerDelivery {
  readonly deliveryId: string;
  readonly triggerName: string;
  readonly owner: string;
  readonly ownerRole: Role;
  readonly act: TriggerAct;
  /** Of a message, once it was found. */
  readonly goalId: string | null;
  readonly attempts: number;
  readonly receivedAt: string;
}

export type SettledDelivery =
  | {
      readonly state: Extract<DeliveryState, 'done' | 'refused' | 'failed'>;
      readonly outcome: DeliveryOutcome;
    }
  | {
      readonly state: 'pending';
      readonly outcome: DeliveryOutcome;
      readonly retryInSeconds: number;
    };

export interface TriggersPort {
  /** @throws Refusal name_taken */
  add(terms: TriggerTerms, secret: string, entry: NewSecurityEntry): Promise<Trigger>;
  /** By name. */
  list(): Promise<Trigger[]>;
  /** With its newest deliveries; null for an unknown name or id. */
  find(nameOrId: string): Promise<Trigger | null>;
  /**
   * What is so already stays as it is.
   * @param by who pauses it; null = it goes on
   * @returns null for an unknown one
   */
  pause(triggerId: string, by: string | null, entry: NewSecurityEntry): Promise<Trigger | null>;
  /** Also its deliveries: what is pending does nothing any more. @returns false for an unknown one */
  remove(triggerId: string, entry: NewSecurityEntry): Promise<boolean>;
  armed(triggerId: string): Promise<ArmedTrigger | null>;
  /** Counts a delivery that was not its sender's, or could not be read. */
  noteRefused(triggerId: string, why: string): Promise<void>;
  /**
   * Stores a delivery before it acts; null: the trigger is gone.
   * @throws Refusal rate_limited, for a new one beyond what the trigger takes in an hour
   */
  journal(
    triggerId: string,
    delivery: NewDelivery,
  ): Promise<{ readonly delivery: TriggerDelivery; readonly isNew: boolean } | null>;
  delivery(deliveryId: string): Promise<TriggerDelivery | null>;
  /** Takes one that is pending, by its id or the next one that is due; null = there is none. */
  claim(deliveryId: string | null): Promise<ClaimedTriggerDelivery | null>;
  /** Keeps which goal a message is for, before it is sent. @returns the first one that was kept */
  target(deliveryId: string, goalId: string): Promise<string>;
  settle(deliveryId: string, end: SettledDelivery): Promise<void>;
  /**
   * From now on goals in this sight that wait for the event hear of it.
   * @returns those that wait for it now
   */
  tellEvent(
    claimed: ClaimedTriggerDelivery & { readonly act: Extract<TriggerAct, { kind: 'event' }> },
    sight: Sight,
  ): Promise<readonly { readonly goalId: string; readonly epoch: number }[]>;
}
