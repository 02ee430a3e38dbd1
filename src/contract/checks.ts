import type { CheckResult, TryCheck } from '../../schema/estimate.ts';
import type { Network } from '../../schema/network.ts';
import type { Principal } from '../../schema/role.ts';

/** Runs checks that belong to no goal. */
export interface ChecksPort {
  /** @throws Refusal, also when nobody serves the workspace's host */
  try(check: CheckAsked): Promise<CheckResult>;
}

export interface CheckAsked {
  readonly principal: Principal;
  readonly workspace: string;
  readonly host: string;
  readonly criterion: TryCheck['criterion'];
  readonly network: Network;
}
