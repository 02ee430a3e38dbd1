/** A worktree lies elsewhere, and is under the rules of the workspace that it was made from. */
export const ruledWorkspace = ({
  name,
  origin,
}: {
  readonly name: string;
  readonly origin?: string | null;
}): string => origin ?? name;
