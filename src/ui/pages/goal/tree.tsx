import type { Goal } from '../../api/types.ts';
import { ownTree } from '../../view/own-tree.ts';

/** The goal's own worktree: its branch, and how one gets at the result. */
export function Tree({ goal }: { readonly goal: Goal }) {
  const tree = ownTree(goal);
  if (tree === null) return null;
  return (
    <section className="pane-section worktree" aria-label="Worktree">
      <h2>
        Worktree<span className="pane-note">{goal.workspace.name}</span>
      </h2>
      <p>
        On the branch <span className="mono">{tree.branch}</span>. {tree.state}
      </p>
      {tree.steps.length === 0 ? null : (
        <ol>
          {tree.steps.map(({ what, command }) => (
            <li key={command}>
              <span className="text-small text-muted">{what}</span>
              <code>{command}</code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
