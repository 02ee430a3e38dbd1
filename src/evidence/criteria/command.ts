import { proveByReceipt } from '../../proof/receipt-proof.ts';
import { loadShellParser } from '../../shell/read/parse.ts';
import { runCriterion } from '../command-run.ts';
import {
  type CriterionCheck,
  type CriterionOf,
  type Finding,
  type GateRun,
  hostRunOf,
} from '../criterion-check.ts';
import { changedAfter } from '../later-writes.ts';
import { suspect } from '../suspicion.ts';

type Command = CriterionOf<'command'>;

export const checkCommand: CriterionCheck<'command'> = (gate, criterion) =>
  criterion.spec.check === 'receipt' ? checkReceipt(gate, criterion) : checkRun(gate, criterion);

async function checkRun(gate: GateRun, criterion: Command): Promise<Finding> {
  const suspicion = await suspect(gate, criterion);
  const ran = await runCriterion(hostRunOf(gate), criterion, { suspicion });
  const { last, reason, receipts, remedy } = ran;
  const state = last.isMet ? 'met' : 'unmet';
  return { state, isHostChecked: true, reason, receipts, ...(remedy !== undefined && { remedy }) };
}

async function checkReceipt(gate: GateRun, { spec }: Command): Promise<Finding> {
  const shell = { parse: await loadShellParser(), workspace: gate.brief.workspace.path };
  const { state, reason, seq } = proveByReceipt(spec, gate.receipts, shell);
  const run = gate.receipts.find((row) => row.seq === seq);
  if (run === undefined) {
    return { state, isHostChecked: true, reason, remedy: rerunOf(spec), receipts: [] };
  }
  const finding = { isHostChecked: true, receipts: [run.seq] } as const;
  const later = await changedAfter(gate, run, spec.scope);
  if (later.length === 0) return { ...finding, state, reason };
  const moved = `files changed after it ran: ${later.slice(0, 5).join(', ')}`;
  return { ...finding, state: 'stale', reason: moved, remedy: rerunOf(spec) };
}

const rerunOf = ({ command, cwd }: Command['spec']): string =>
  `call run_command with \`${command}\`${cwd === undefined ? '' : ` in ${cwd}`}, as a command of its own, ` +
  'and when it succeeds, attempt_completion.';
