import type { GoalTools } from '../agents/goal-tools.ts';
import { renderGoalBlock } from '../context/goal-block.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { Closed } from '../contract/failures.ts';
import { AGENT_PERMISSION, type AskedPermission } from '../tools/agent-permission.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { AgentLedger } from './agent-calls.ts';
import { judgeCall, refusalBy, underRule } from './judge-call.ts';
import { perform } from './perform-call.ts';
import { deniedBy } from './run-calls.ts';
import { settle } from './settle-call.ts';
import type { SliceRun } from './slice-run.ts';

const OFFERED: ReadonlySet<string> = new Set([
  ...['set_requirements', 'todo_write', 'complete_step', 'attempt_completion', 'ask_user'],
  ...['report_blocker', 'propose_criterion', 'propose_scope', 'dispute_criterion'],
  ...['continue_work', 'wait_for'],
]);

const GET_GOAL = {
  name: 'get_goal',
  description: 'The goal as the host has it recorded now: objective, criteria, scope, todo list.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

const ENDS =
  'Noted: this ends your turn, and the host goes on from here. Stop working now, and end with one sentence.';
const ASKS =
  'A person is asked about this call first, which ends your turn. Stop working now, and end with one sentence.';
export const ENDED = 'Not run: an earlier call ended this turn. Stop working now.';

/** What agents ask of their client, by the goal's own tools. */
const HOSTED: ReadonlySet<string> = new Set(['read_file', 'write_file']);

export interface OfferedGoalTools extends GoalTools {
  /**
   * A call of a tool that the host runs for its client's part of the protocol.
   * @param whyNot asked when its turn comes; null = it may still be run
   */
  callHost(
    name: string,
    input: string,
    whyNot?: () => Promise<string | null>,
  ): ReturnType<GoalTools['call']>;
  /** The call that ends the turn, which the host runs once the agent has stopped; null = none. */
  ending(): RequestedCall | null;
  /** Ends the turn with a question whether the agent may do this, unless it has ended. */
  askPerson(asked: AskedPermission): void;
}

/** The goal's own tools for an agent: calls of the turn like any other, by the same rules. */
export function goalToolsFor(
  run: SliceRun,
  ledger: AgentLedger,
  onEnding: () => void,
): OfferedGoalTools {
  const { tools } = run.ports;
  let ending: RequestedCall | null = null;
  const declarations = tools.declarations(run.brief.mode).filter(({ name }) => OFFERED.has(name));
  const known = new Set(declarations.map(({ name }) => name));
  const callOf = (
    known: ReadonlySet<string>,
    ...[name, input, whyNot]: Parameters<OfferedGoalTools['callHost']>
  ) =>
    ledger.inTurn(async () => {
      if (name === GET_GOAL.name) return { text: goalText(run), isError: false };
      const tool = known.has(name) ? tools.find(name) : undefined;
      if (tool === undefined) return { text: `There is no tool "${name}".`, isError: true };
      if (ending !== null) return { text: ENDED, isError: true };
      const unfit = (await whyNot?.()) ?? null;
      if (unfit !== null) return { text: unfit, isError: true };
      const asked = { callId: ledger.nextId(), providerId: '', tool: name, input };
      const parsed = await tools.parse(name, input);
      if (!parsed.ok) return { text: parsed.message, isError: true };
      if (tool.endsTurn === true) {
        ending = asked;
        onEnding();
        return { text: ENDS, isError: false };
      }
      const result = await resultOf(run, asked, parsed.args).catch(closed);
      if (result === null) {
        ending = asked;
        onEnding();
        // Who asked its client to write or read would else take it for done.
        return { text: ASKS, isError: known === HOSTED };
      }
      await settle(run, { ...asked, providerId: null }, tool, result);
      run.tally.toolCalls += 1;
      if (result.wrote === true) run.tally.wrote = true;
      if (result.outcome === 'succeeded') run.tally.receipts += 1;
      return { text: result.text, isError: result.outcome !== 'succeeded' };
    });
  return {
    declarations: [GET_GOAL, ...declarations],
    async call(name, input) {
      // A step is signed off by what the host has seen until now.
      if (name === 'complete_step') await ledger.observe();
      return await callOf(known, name, input);
    },
    callHost: (...asked) => callOf(HOSTED, ...asked),
    ending: () => ending,
    askPerson(asked) {
      ending ??= {
        ...{ callId: ledger.nextId(), providerId: '', tool: AGENT_PERMISSION },
        input: JSON.stringify(asked),
      };
    },
  };
}

function goalText(run: SliceRun): string {
  const { brief, todos, plan, usage } = run;
  return renderGoalBlock({ ...brief, todos, plan, usage }, run.kind);
}

/** Null where a person has to be asked first. */
async function resultOf(
  run: SliceRun,
  asked: RequestedCall,
  args: unknown,
): Promise<ToolResult | null> {
  const tool = run.ports.tools.find(asked.tool);
  if (tool === undefined) return refused('it is offered no more');
  const denied = deniedBy(run, tool);
  if (denied !== null) return refused(denied);
  const verdict = await judgeCall(run, tool, args);
  const refusal = refusalBy(verdict);
  if (refusal !== null) return refusal;
  if (verdict.decision === 'ask') return null;
  return underRule(await perform(run, asked, tool, args), verdict);
}

/** A person was faster; what the agent does meanwhile is recorded all the same. */
function closed(error: unknown): ToolResult {
  if (error instanceof Closed) return refused('the goal is no longer open');
  throw error;
}

const refused = (reason: string): ToolResult => ({
  outcome: 'refused',
  text: `Not run: ${reason}.`,
  receipt: { reason },
});
