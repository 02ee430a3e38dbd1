import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import type { Policy } from '../../../schema/policy.ts';
import type { ProofFinding } from '../../../src/contract/proofs.ts';
import { defaultPolicy } from '../../../src/goal/defaults.ts';
import { startRepository } from '../../support/git.ts';
import { openGround } from '../gate-ground.ts';

export type Files = Readonly<Record<string, string>>;

/** A project as it is before the goal; the work replaces its source. */
export interface Project {
  readonly files: Files;
  /** Files that are no text. */
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
  readonly command: string;
  readonly source: string;
  readonly needsModules?: boolean;
  readonly timeoutSeconds?: number;
  readonly attempts?: number;
}

interface Manner {
  readonly scope?: string[];
  readonly felt?: Policy['felt'];
  /** So long a run takes, by its receipt, however fast the machine is. */
  readonly secondsOfRun?: number;
  /** Time of a run at the gate, where it has another one than on the original. */
  readonly atGate?: { readonly timeoutSeconds?: number };
}

/** Does the work (null: a file goes) and has it judged: what the plain check said, what the proof did, and its runs. */
export async function judgeWork(
  project: Project,
  work: Readonly<Record<string, string | null>>,
  { scope = [project.source], secondsOfRun, atGate, ...policy }: Manner = {},
) {
  const workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-in-process-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const put = (files: Readonly<Record<string, string | Uint8Array | null>>) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        rmSync(join(workspace, path));
        continue;
      }
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
  };
  put({ '.gitignore': 'node_modules/\ntarget/\n__pycache__/\n', ...project.files });
  put(project.bytes ?? {});
  if (project.needsModules) symlinkSync(resolve('node_modules'), join(workspace, 'node_modules'));
  startRepository(workspace);
  const { command, timeoutSeconds, attempts } = project;
  const criterion: CommandCriterion = {
    ...{ kind: 'command', command },
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(attempts !== undefined && { attempts }),
  };
  const own = {
    policy: { ...defaultPolicy, ...policy },
    scope: { change: scope },
  };
  const found: ProofFinding[] = [];
  const proofs = {
    baselines: async () => [],
    keepBaselines: async () => {},
    keepFinding: async (_: unknown, __: number, finding: ProofFinding) => void found.push(finding),
    finishedGoals: async () => [],
  };
  const criteria = [criterion];
  const ground = openGround(workspace, criteria, { proofs }, own as never);
  const { journal } = ground.ports;
  const settle = journal.settleCall;
  const durationMs = (secondsOfRun ?? 0) * 1000;
  if (durationMs > 0) {
    journal.settleCall = (fence, end) =>
      settle(fence, { ...end, receipt: { ...end.receipt, durationMs } });
  }
  await ground.lookFirst();
  if (atGate !== undefined) criteria[0] = { kind: 'command', command, ...atGate };
  put(work);
  const { criteria: judged, weakened } = await ground.gate();
  const ofGate = ground.rows.filter(({ tool }) => tool === 'check.gate');
  // Whether the trick does what it is for.
  const exits0 = ofGate.some(({ receipt }) => receipt?.exitCode === 0);
  const labels = ground.rows.map(({ callId }) => callId.split('.').at(-1) ?? '');
  const [one] = judged;
  return {
    state: one?.state,
    isVerified: one?.state === 'met' && one.isHostChecked && weakened.length === 0,
    reason: one?.reason ?? '',
    exits0,
    labels,
    /** By label, how long its run took. */
    tookMs: (label: string) =>
      ground.rows.find(({ callId }) => callId.endsWith(`.${label}`))?.receipt?.durationMs ?? null,
    proof: found.at(-1)?.proof ?? null,
  };
}
