import { isAbsolute, relative } from 'node:path';
import type { GoalTools } from '../agents/goal-tools.ts';
import { type AgentHost, type AskedCommand, Declined } from '../agents/host-requests.ts';
import type { SaidCall } from '../agents/update-log.ts';
import type { ToolDeclaration } from '../contract/model.ts';
import type { ToolVerdict } from '../policy/tool-policy.ts';
import { shellLine } from '../process/shell-line.ts';
import type { Grant } from '../tools/agent-permission.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { resolveForWrite, resolveInside, sha256 } from '../workspace/paths.ts';
import { readTextFile } from '../workspace/text-file.ts';
import type { AgentLedger } from './agent-calls.ts';
import { judgePermission } from './agent-permission.ts';
import { ENDED, type OfferedGoalTools } from './agent-tools.ts';
import { judgeCall, refusalBy, underRule } from './judge-call.ts';
import { runStarted } from './perform-call.ts';
import { deniedBy } from './run-calls.ts';
import { settle } from './settle-call.ts';
import type { SliceRun } from './slice-run.ts';

const MOST_SECONDS = 1800;
const MOST_COMMAND = 20_000;
const MOVED = 'Not written: something else has changed the file since you asked.';

/** By these the agent has the host see what it will cite. */
const SEEING: Readonly<Record<string, string>> = {
  run_command:
    'The host runs a command and sees how it ends, so that complete_step and criteria may cite it, ' +
    'as long as no file changes afterwards. For all else use your own shell.',
  read_file:
    'The host reads a file of the workspace, so that complete_step may cite it as read. For all else use your own tools.',
};
const LOST = 'Its end was not seen. Run it again.';

export interface HostForAgent extends AgentHost {
  /** The goal's tools, with those by which the agent has the host see something. */
  readonly goalTools: GoalTools;
  /** Ends all commands, and waits until they are recorded. */
  close(): Promise<void>;
}

/**
 * What an agent has the host do, by the goal's own tools: judged by the policy, run in a sandbox of
 * its own, and recorded as what the host saw. So it proves, where the agent's own calls don't.
 */
export function hostFor(
  run: SliceRun,
  ledger: AgentLedger,
  tools: OfferedGoalTools,
  { grants, onEnding }: Asking,
): HostForAgent {
  const over = new AbortController();
  const running = new Set<Promise<unknown>>();
  const root = run.brief.workspace.path;
  const named = (path: string) => (isAbsolute(path) ? relative(root, path) : path) || '.';
  const by = async (
    name: string,
    args: object,
    whyNot?: () => Promise<string | null>,
  ): Promise<void> => {
    const { text, isError } = await tools.callHost(name, JSON.stringify(args), whyNot);
    if (isError) throw new Declined(text.slice(0, 2000));
  };
  const hashOf = async (path: string) =>
    await resolveForWrite(root, named(path)).then(
      ({ absolute }) => hashResolvedFile(absolute),
      // The tool says what is wrong with it.
      () => null,
    );
  const started = async (
    args: CommandArguments,
    heard: Pick<AskedCommand, 'onOutput' | 'signal'>,
  ): Promise<{ readonly ended: Promise<ToolResult | null> }> => {
    const tool = run.ports.tools.find('run_command');
    const { callId, verdict } = await begin(run, ledger, tools, { tool, args, grants, onEnding });
    const call = { callId, tool: 'run_command', input: JSON.stringify(args), providerId: '' };
    const signal = AbortSignal.any([run.signal, heard.signal, over.signal]);
    const work = runStarted(run, call, tool as Tool, args, { ...heard, signal })
      .then(async (result) => {
        const ruled = verdict.decision === 'allow' ? underRule(result, verdict) : result;
        await ledger.inTurn(() => record(run, call, tool as Tool, ruled));
        return result;
      })
      // The slice learns of a lost helper or journal where it goes on.
      .catch(() => null);
    running.add(work);
    return { ended: work.finally(() => running.delete(work)) };
  };
  return {
    goalTools: {
      declarations: [...tools.declarations, ...seeingTools(run)],
      async call(name, input) {
        if (!Object.hasOwn(SEEING, name)) return await tools.call(name, input);
        if (name !== 'run_command') return await tools.callHost(name, input);
        if (tools.ending() !== null) return { text: ENDED, isError: true };
        const parsed = await run.ports.tools.parse(name, input);
        if (!parsed.ok) return { text: parsed.message, isError: true };
        try {
          // What the agent no longer waits for is seen all the same.
          const heard = { onOutput: () => {}, signal: run.signal };
          const { ended } = await started(parsed.args as CommandArguments, heard);
          const result = await ended;
          return { text: result?.text ?? LOST, isError: result?.outcome !== 'succeeded' };
        } catch (error) {
          if (error instanceof Declined) return { text: error.message, isError: true };
          throw error;
        }
      },
    },
    async read(path) {
      await by('read_file', { path: named(path), limit: 1 });
      const { absolute, relative: name } = await resolveInside(root, named(path));
      const file = await readTextFile(absolute, name);
      if (!file.ok) throw new Declined(file.reason);
      return run.ports.secrets?.mask.text(file.text) ?? file.text;
    },
    // Some agents go on before they are answered: what comes late overwrites nothing newer.
    async write(path, content) {
      const asked = [await hashOf(path), sha256(Buffer.from(content))];
      await by('write_file', { path: named(path), content }, async () =>
        asked.includes(await hashOf(path)) ? null : MOVED,
      );
    },
    async run(asked) {
      const args = { ...commandOf(asked, named), timeoutSeconds: MOST_SECONDS };
      const { ended } = await started(args, asked);
      return {
        ended: ended.then((result) => {
          const { exitCode = null, signal = null } = result?.receipt ?? {};
          return { exitCode, signal };
        }),
      };
    },
    async close() {
      over.abort();
      await Promise.all(running);
    },
  };
}

const seeingTools = (run: SliceRun): ToolDeclaration[] =>
  run.ports.tools.declarations(run.brief.mode).flatMap((tool) => {
    const why = SEEING[tool.name];
    return why === undefined ? [] : [{ ...tool, description: `${why} ${tool.description}` }];
  });

interface CommandArguments {
  readonly command: string;
  readonly cwd?: string;
  readonly timeoutSeconds?: number;
}

interface Asking {
  /** What a person allowed once, and nothing has used. */
  readonly grants: Grant[];
  /** A person is asked, which ends the turn. */
  readonly onEnding: () => void;
}

interface Begun extends Asking {
  readonly tool: Tool | undefined;
  readonly args: CommandArguments;
}

/** What the agent did before is recorded first, so that the run stands for it. @throws Declined */
async function begin(
  run: SliceRun,
  ledger: AgentLedger,
  tools: Pick<OfferedGoalTools, 'askPerson'>,
  { tool, args, grants, onEnding }: Begun,
): Promise<{ readonly callId: string; readonly verdict: ToolVerdict }> {
  const denied = tool === undefined ? 'it is not offered' : deniedBy(run, tool);
  if (tool === undefined || denied !== null) throw new Declined(`Not run: ${denied}.`);
  const parsed = await run.ports.tools.parse('run_command', JSON.stringify(args));
  if (!parsed.ok) throw new Declined(parsed.message.slice(0, 2000));
  const verdict = await judgeCall(run, tool, args);
  if (verdict.decision === 'ask') {
    const permission = await judgePermission(run, asCall(args), grants);
    if (permission.decision === 'allow_once') await ledger.granted(permission.by);
    if (permission.decision === 'ask') {
      tools.askPerson(permission.asked);
      onEnding();
      throw new Declined('A person is asked about this command first, which ends your turn.');
    }
  }
  const refusal = refusalBy(verdict);
  if (refusal === null) await ledger.observe();
  const callId = await ledger.inTurn(async () => {
    const callId = ledger.nextId();
    const { turn } = run.input;
    const place = { callId, turn, step: run.step, tool: tool.name, effect: tool.effect };
    await run.ports.journal.startCall(run.attempt.fence, { ...place, arguments: args });
    const call = { callId, tool: tool.name, input: JSON.stringify(args), providerId: null };
    if (refusal !== null) await settle(run, call, tool, underRule(refusal, verdict));
    return callId;
  });
  if (refusal !== null) throw new Declined(refusal.text);
  return { callId, verdict };
}

/** The command as a question of the agent's would name it, so that one answer holds for both. */
const asCall = (args: { readonly command: string }): SaidCall => ({
  ...{ id: '', title: args.command.slice(0, 300), kind: 'execute', status: 'pending' },
  ...{ input: JSON.stringify(args), paths: [], output: '' },
});

async function record(
  run: SliceRun,
  call: { readonly callId: string; readonly tool: string; readonly input: string },
  tool: Tool,
  result: ToolResult,
): Promise<void> {
  await settle(run, { ...call, providerId: null }, tool, result);
  run.tally.toolCalls += 1;
  if (result.wrote === true) run.tally.wrote = true;
  if (result.outcome === 'succeeded') run.tally.receipts += 1;
}

/** One that comes without words of its own is a line for a shell. */
function commandOf(
  { command, args, cwd, env }: AskedCommand,
  named: (path: string) => string,
): CommandArguments {
  const line = args.length === 0 ? command : shellLine([command, ...args]);
  const set = env.map(({ name, value }) => shellLine([`${name}=${value}`]));
  const whole = set.length === 0 ? line : `env ${set.join(' ')} ${shellLine(['bash', '-c', line])}`;
  if (whole.length > MOST_COMMAND) throw new Declined('The command is too long.');
  return { command: whole, ...(cwd === null ? {} : { cwd: named(cwd) }) };
}
