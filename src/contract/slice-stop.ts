import type { BlockerKind } from '../../schema/goal.ts';
import type {
  Disputed,
  LimitReached,
  ProviderTrouble,
  SliceEnd,
  WakeRequest,
} from './turn-facts.ts';

/** Why the slice ended, with the facts that the rules need. */
export interface SliceStop {
  readonly end: SliceEnd;
  readonly detail?: string | undefined;
  readonly limit?: LimitReached | undefined;
  readonly provider?: ProviderTrouble | undefined;
  readonly openCall?: string | undefined;
  /** Why the open call waits for a person. */
  readonly rule?: string | undefined;
  /** The answer and timeout that the model named for its question. */
  readonly question?: {
    readonly hasDefault: boolean;
    readonly timeoutSeconds?: number | undefined;
  };
  readonly election?: WakeRequest | undefined;
  readonly blocker?: BlockerKind | undefined;
  readonly dispute?: Disputed | undefined;
  /** The check that a claim names as its proof. */
  readonly citedCommand?: string | undefined;
}
