import type { Delivery, Notification, NotifyTarget } from '../../schema/notify.ts';
import type { Page } from './reads.ts';

/** A delivery that one sender has to itself until the lease is over. */
export interface ClaimedDelivery {
  readonly notificationId: string;
  readonly goalId: string;
  readonly url: string;
  readonly origin: Delivery['origin'];
  /** This one included. */
  readonly attempts: number;
  readonly body: string;
  /** Targets of the goal, with their secrets. */
  readonly targets: readonly NotifyTarget[];
}

/** How an attempt ended. `retryAt` null: there is no further one. */
export type AttemptEnd =
  | { readonly state: 'delivered'; readonly status: number }
  | {
      readonly state: 'failed';
      readonly status: number | null;
      readonly error: string;
      readonly retryAt: string | null;
    };

/** The outbox as the sender works it off; several workers may do so at once. */
export interface DeliveryStore {
  /** Makes a delivery for each target of each new notification. */
  address(serviceTargets: readonly NotifyTarget[]): Promise<void>;
  /** Those that are due, each for one sender; after the lease another one may take it over. */
  claim(limit: number, leaseSeconds: number): Promise<ClaimedDelivery[]>;
  settle(delivery: ClaimedDelivery, end: AttemptEnd): Promise<void>;
  /** Forgets notifications that are older than this and have nothing left to be sent. */
  prune(days: number): Promise<number>;
}

/** What the API shows and does with them. */
export interface NotificationsPort {
  list(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<Notification>>;
  /** Sends it once more to everybody, under the same id; false = the goal has no such one. */
  resend(goalId: string, notificationId: string): Promise<boolean>;
}
