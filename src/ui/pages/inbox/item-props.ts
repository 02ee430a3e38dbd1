import type { ReactNode } from 'react';
import type { Entry } from '../../view/inbox-list.ts';

export interface ItemProps {
  readonly entry: Entry;
  /** Called once the service took the answer. */
  readonly onAnswered: () => void;
  /** Keeps it as it is while something is typed, also once it waits no longer. */
  readonly onHold: (isHeld: boolean) => void;
  /** Where it is among all that waits. */
  readonly place: ReactNode;
}
