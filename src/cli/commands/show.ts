import { ruleText } from '../../../schema/rule-text.ts';
import type { Plan } from '../../../schema/todo.ts';
import type { Page, TurnRow } from '../../contract/reads.ts';
import { attachmentText } from '../attachment-text.ts';
import type { Client } from '../client.ts';
import { decisionText } from '../decision-text.ts';
import { delegateTree } from '../delegate-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { goalText } from '../goal-text.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';
import { oneLine, printable } from '../terminal.ts';

export interface ShowOptions extends CommonOptions {
  readonly turns?: boolean;
}

export async function show(prefix: string, options: ShowOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goal = await findGoal(session, prefix);
  if (options.turns !== true) {
    const asked = session.isJson ? '' : await decisionText(session.client, goal);
    const plan = session.isJson ? '' : await planText(session.client, goal.goalId);
    const files = session.isJson ? '' : await attachmentText(session.client, goal.goalId);
    const tree = session.isJson ? '' : await delegateTree(session.client, goal.goalId);
    print(session, goal, () => goalText(goal) + files + asked + plan + tree);
    return EXIT.complete;
  }
  const turns = await session.client.get<Page<TurnRow>>(`/v1/goals/${goal.goalId}/turns?limit=200`);
  const value = { ...goal, turns: turns.items };
  print(session, value, () =>
    [goalText(goal), '', ...turns.items.toReversed().map(turnLine)].join('\n'),
  );
  return EXIT.complete;
}

async function planText(client: Client, goalId: string): Promise<string> {
  const { plan } = await client.get<{ plan: Plan | null }>(`/v1/goals/${goalId}/plan`);
  return plan === null ? '' : `\n\nplan (version ${plan.revision}):\n${printable(plan.markdown)}`;
}

function turnLine({ turn, kind, state, decision, compactions }: TurnRow): string {
  const led =
    decision === null
      ? state
      : `${ruleText(decision.rule, decision.ruleName)} → ${decision.action}: ${oneLine(decision.sentence, 400)}`;
  const made = compactions.map(
    ({ tokensBefore, tokensAfter }) => `\n      compacted: ${tokensBefore} → ${tokensAfter} tokens`,
  );
  return `${String(turn).padStart(4)}  ${kind.padEnd(8)} ${led}${made.join('')}`;
}
