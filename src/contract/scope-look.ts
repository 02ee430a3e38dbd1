import type { Criterion } from '../../schema/criteria.ts';
import type { Policy } from '../../schema/policy.ts';
import type { ScopeLook, StoredScope } from '../../schema/scope.ts';

/** A workspace as the API knows it. */
export interface LookedWorkspace {
  readonly name: string;
  readonly path: string;
  readonly host: string;
}

/** What the API sees of a workspace on its own machine, before there is a goal. */
export interface ScopeLookPort {
  look(
    workspace: LookedWorkspace,
    start: {
      readonly scope?: StoredScope | undefined;
      readonly criteria: readonly { readonly spec: Criterion }[];
      readonly policy: Pick<Policy, 'proof' | 'dependencies'>;
      readonly setup?: readonly string[] | undefined;
    },
  ): Promise<ScopeLook>;
  /**
   * The id of the commit that the caller means.
   * @throws BaseRefused
   */
  base(workspace: LookedWorkspace, name: string): Promise<string>;
}
