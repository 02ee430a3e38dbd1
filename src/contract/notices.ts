import type { Approval } from '../../schema/approval.ts';
import type { Delivery, Notification, NotifyTarget } from '../../schema/notify.ts';
import type { Page } from './reads.ts';

/** A delivery that one sender has claimed until its lease ends. */
export interface ClaimedDelivery {
  readonly notificationId: string;
  readonly goalId: string;
  readonly url: string;
  readonly origin: Delivery['origin'];
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly body: string;
  /** Targets of the goal, with their secrets. */
  readonly targets: readonly NotifyTarget[];
}

/** A target by the key that its deliveries have. */
export type AddressedTarget = Pick<NotifyTarget, 'url' | 'events'>;

/** What one link grants: this decision, as this principal, until then. */
export interface ApprovalLink {
  readonly goalId: string;
  readonly approvalId: string;
  /** Digest of what was asked. */
  readonly asked: string;
  /** Name of the token whose rights count at the moment of the decision. */
  readonly as: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Reads links; those of another installation, or with another key, are altered ones. */
export interface ApprovalLinksPort {
  /** null = nobody here made it */
  read(text: string): ApprovalLink | null;
  /** Is the approval what the link was made for? */
  isAbout(link: ApprovalLink, approval: Approval): boolean;
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

/** The notification outbox as senders use it; several workers may do so at once. */
export interface DeliveryStore {
  /** Makes a delivery for each target of each new notification. */
  address(serviceTargets: readonly AddressedTarget[]): Promise<void>;
  /** Claims due deliveries, each for one sender; after the lease another sender may claim it. */
  claim(limit: number, leaseSeconds: number): Promise<ClaimedDelivery[]>;
  settle(delivery: ClaimedDelivery, end: AttemptEnd): Promise<void>;
  /** Forgets notifications that are older than this and have nothing left to be sent. */
  prune(days: number): Promise<number>;
}

/** The API's access to notifications. */
export interface NotificationsPort {
  list(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<Notification>>;
  /**
   * Sends it again to every target under the same id; false = the goal has no such notification.
   */
  resend(goalId: string, notificationId: string): Promise<boolean>;
}
