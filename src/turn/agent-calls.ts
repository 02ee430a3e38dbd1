import type { LedgerRow, Receipt } from '../../schema/ledger.ts';
import { isOver, type SaidCall } from '../agents/update-log.ts';
import type { Tally } from '../attempt/tally.ts';
import type { CommandRun } from '../contract/effects.ts';
import type { TurnRecord } from '../contract/journal.ts';
import type { CallEnd } from '../contract/tool-call.ts';
import { AGENT_PERMISSION, type AskedPermission, type Grant } from '../tools/agent-permission.ts';
import { diffFingerprints, type Fingerprint, takeFingerprint } from '../workspace/fingerprint.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { resolveInside } from '../workspace/paths.ts';
import type { Look } from './session-look.ts';
import type { SliceRun } from './slice-run.ts';

/** The host's own row of what changed while an agent worked. */
export const AGENT_TURN = 'agent_turn';

const OF_AGENT = /\.a\d+\.\d+$/;
const MOST_HASHED = 200;
const MOST_WRITES = 5000;
/** Characters of a call's arguments that a row shows. */
const MOST_INPUT = 4000;

/** A row that was written while an agent worked: by it, by the host about it, or by a goal's tool. */
export const isOfAgent = ({ callId }: Pick<LedgerRow, 'callId'>): boolean => OF_AGENT.test(callId);

/** Only what the host saw counts as work. */
export function tallyAgentCall(tally: Tally, { tool, outcome, receipt }: LedgerRow): void {
  if (receipt?.origin === 'agent' || tool === AGENT_PERMISSION) return;
  const hasWritten = (receipt?.writes?.length ?? 0) > 0;
  if (hasWritten) tally.wrote = true;
  if (tool === AGENT_TURN && !hasWritten) return;
  tally.toolCalls += 1;
  if (outcome === 'succeeded') tally.receipts += 1;
}

/** Settles what an attempt that died left open: the agent may have done any part of it. */
export async function closeAgentCalls(run: SliceRun, record: TurnRecord): Promise<void> {
  const settled = new Set(record.settled.map(({ callId }) => callId));
  for (const row of record.started.filter((one) => isOfAgent(one) && !settled.has(one.callId))) {
    const isHosts = !row.tool.startsWith('agent.') && row.effect === 'write';
    const reason = 'the process died while this ran; its end was not seen';
    const receipt: Receipt = { ...(row.tool.startsWith('agent.') && OF_ITS_OWN), reason };
    const end = { ...placeOf(row), outcome: 'unknown', receipt, wrote: isHosts } as const;
    const closed = await run.ports.journal.settleCall(run.attempt.fence, end);
    run.writeSeq = closed.receipt?.writeSeq ?? run.writeSeq;
  }
}

const placeOf = ({ callId, turn, step, tool, effect }: LedgerRow) => ({
  ...{ callId, turn, step, tool, effect },
  text: '',
  providerId: null,
});

const OF_ITS_OWN = { origin: 'agent' } as const;

/** What an agent says and does becomes rows, one after the other. */
export interface AgentLedger {
  /** Runs after all that was asked for before; the first failure ends everything that follows. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
  nextId(): string;
  /** A call that only waits is not begun: agents tell its arguments with its beginning. */
  said(call: SaidCall): void;
  /** A call that the agent asked about and may not make. */
  refused(call: SaidCall, reason: string, rule: string | null): Promise<void>;
  /** What a person allowed once is used: an attempt that comes after this one has to ask again. */
  granted(by: Grant): Promise<void>;
  /** A rule that a person stored lets it. */
  covered(asked: AskedPermission, rule: string): Promise<void>;
  /** Looks at the workspace, and records what changed since the last look.
   * @param fault why the turn has no end of its own; null = it has */
  observe(ran?: CommandRun | 'last', fault?: string | null): Promise<void>;
  /** Further texts of the agent that stand beside its answer. */
  note(tool: string, text: string): Promise<void>;
  /** Settles all that is open. */
  close(): Promise<void>;
}

/** @param kept the look before, where it was made in another slice */
export async function openAgentLedger(
  run: SliceRun,
  attempt: number,
  kept?: Look,
): Promise<AgentLedger> {
  const { turn } = run.input;
  const { step } = run;
  const { journal } = run.ports;
  const { fence } = run.attempt;
  /** Begun and not ended, by the agent's own id. */
  const rows = new Map<string, { readonly callId: string; readonly call: SaidCall }>();
  let number = 0;
  let chain: Promise<unknown> = Promise.resolve();
  const nextId = () => {
    number += 1;
    return `t${turn}.s${step}.a${attempt}.${number}`;
  };
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = chain.then(work);
    chain = done;
    chain.catch(() => {});
    return done;
  };
  const settle = async (
    end: Pick<CallEnd, 'callId' | 'tool' | 'effect' | 'outcome' | 'receipt'> & Partial<CallEnd>,
  ) => {
    const row = await journal.settleCall(fence, {
      ...{ turn, step, text: '', providerId: null, wrote: false },
      ...end,
    });
    tallyAgentCall(run.tally, row);
    run.writeSeq = row.receipt?.writeSeq ?? run.writeSeq;
  };
  const start = (callId: string, call: SaidCall) =>
    journal.startCall(fence, {
      ...{ callId, turn, step, tool: toolOf(call), effect: effectOf(call), hasRun: true },
      arguments: argumentsOf(call),
    });
  const end = (callId: string, call: SaidCall, outcome: CallEnd['outcome'], more: Receipt = {}) =>
    settle({
      ...{ callId, tool: toolOf(call), effect: effectOf(call), outcome },
      receipt: { ...OF_ITS_OWN, ...more },
      ...(call.output !== '' && { output: maskedBytes(run, call.output) }),
    });
  let look: { readonly callId: string; readonly seen: Fingerprint | null };
  const begin = async () => {
    const seen = kept === undefined ? await takeFingerprint(run.brief.workspace.path) : kept.before;
    look = { callId: nextId(), seen };
    const about = {
      tool: AGENT_TURN,
      effect: 'write',
      arguments: { agent: run.brief.agent ?? 'external' },
    } as const;
    await journal.startCall(fence, { callId: look.callId, turn, step, ...about, hasRun: true });
  };
  const conclude = async (ran?: CommandRun | 'last', fault: string | null = null) => {
    const now = await takeFingerprint(run.brief.workspace.path);
    const { seen } = look;
    if (seen === null) {
      const reason = 'the look before was lost; any file may have changed';
      const about = { callId: look.callId, tool: AGENT_TURN, effect: 'write' } as const;
      await settle({ ...about, outcome: 'unknown', receipt: { reason }, wrote: true });
      kept?.keep(now);
      return;
    }
    const outcome = fault === null ? 'succeeded' : 'failed';
    const reason = fault === null ? {} : { reason: fault };
    const changed = diffFingerprints(seen, now);
    await settle({
      ...{ callId: look.callId, tool: AGENT_TURN, effect: 'write', outcome },
      receipt: { ...(await writesOf(run, changed)), ...receiptOf(ran), ...reason },
      wrote: changed.length > 0,
    });
    kept?.keep(now);
  };
  const permitted = (asked: AskedPermission, policy: NonNullable<Receipt['policy']>) =>
    inTurn(async () => {
      const about = { callId: nextId(), tool: AGENT_PERMISSION, effect: 'read' } as const;
      const place = { ...about, turn, step };
      await journal.startCall(fence, { ...place, arguments: asked, hasRun: true });
      await settle({ ...about, outcome: 'succeeded', receipt: { policy } });
    });
  await begin();
  return {
    inTurn,
    nextId,
    said(call) {
      const now = { ...call };
      void inTurn(async () => {
        const known = rows.get(now.id);
        if (known === undefined && now.status === 'pending') return;
        const callId = known?.callId ?? nextId();
        // The row keeps the name under which it began.
        const call = { ...now, kind: known?.call.kind ?? now.kind };
        rows.set(now.id, { callId, call });
        if (known === undefined) await start(callId, call);
        if (!isOver(now)) return;
        rows.delete(now.id);
        await end(callId, call, now.status === 'completed' ? 'succeeded' : 'failed');
      }).catch(() => {});
    },
    refused: (call, reason, rule) =>
      inTurn(async () => {
        const callId = nextId();
        const policy = rule === null ? {} : { policy: { decision: 'deny' as const, rule } };
        await start(callId, call);
        await end(callId, { ...call, output: '' }, 'refused', { reason, ...policy });
      }),
    granted: ({ asked, rule, approvalId }) =>
      permitted(asked, { decision: 'ask', rule, approvalId }),
    covered: (asked, rule) => permitted(asked, { decision: 'allow', rule }),
    observe: (ran, fault) =>
      inTurn(async () => {
        await conclude(ran, fault);
        if (ran === undefined) await begin();
      }),
    note: (tool, text) =>
      inTurn(async () => {
        if (text.trim() === '') return;
        const call = { ...EMPTY, kind: tool, output: text };
        const callId = nextId();
        await start(callId, call);
        await end(callId, call, 'succeeded');
      }),
    close: () =>
      inTurn(async () => {
        for (const { callId, call } of rows.values()) {
          const reason = 'its turn ended before it told of an end';
          await end(callId, call, 'unknown', { reason });
        }
        rows.clear();
      }),
  };
}

const EMPTY: SaidCall = {
  ...{ id: '', title: '', kind: 'other', status: 'completed', input: null, paths: [], output: '' },
};

const READING: readonly string[] = ['read', 'search', 'fetch', 'think', 'plan', 'switch_mode'];

const toolOf = ({ kind }: SaidCall): string => `agent.${kind}`;
const effectOf = ({ kind }: SaidCall): 'read' | 'once' =>
  READING.includes(kind) ? 'read' : 'once';

const argumentsOf = ({ title, input, paths }: SaidCall) => ({
  title,
  ...(input === null ? {} : { input: input.slice(0, MOST_INPUT) }),
  ...(paths.length === 0 ? {} : { paths }),
});

const maskedBytes = ({ ports }: SliceRun, text: string): Uint8Array =>
  new TextEncoder().encode(ports.secrets?.mask.text(text) ?? text);

const receiptOf = (ran: CommandRun | 'last' | undefined): Receipt =>
  ran === undefined || ran === 'last'
    ? {}
    : {
        durationMs: ran.durationMs,
        isolation: ran.isolation,
        ...(ran.disarmed && { disarmed: ran.disarmed.slice(0, 50) }),
        ...(ran.undecided && { undecided: ran.undecided.slice(0, 50) }),
        ...(ran.reached?.length && { reached: [...ran.reached] }),
      };

async function writesOf(
  run: SliceRun,
  changed: readonly string[],
): Promise<Pick<Receipt, 'writes' | 'hashes'>> {
  if (changed.length === 0) return {};
  const { absolute: root } = await resolveInside(run.brief.workspace.path, '.');
  const hashes: Record<string, string | null> = {};
  for (const path of changed.slice(0, MOST_HASHED)) {
    const hash = await hashResolvedFile(`${root}/${path}`).catch(() => undefined);
    if (hash !== undefined) hashes[path] = hash;
  }
  return { writes: changed.slice(0, MOST_WRITES), hashes };
}
