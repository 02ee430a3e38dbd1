import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Isolation } from '../../schema/isolation.ts';
import { lookAtGroups } from '../sandbox/groups/groups.ts';
import { commandLimits } from '../sandbox/limits.ts';
import { hasNamespaces, whyNoOwnNetwork } from '../sandbox/namespace.ts';
import type { Protection } from '../sandbox/probe.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { guardedTemporal, openTemporal } from '../stack/reach.ts';

/** One protection of the machine from commands, and how to improve it. */
export interface Line {
  readonly check: string;
  readonly detail: string;
  /** Nothing stands between commands and what their user can reach. */
  readonly isOpen?: true;
}

/** The protection that this machine allows, found by trying; settings may ask for less. */
export async function protectionHere(environment = process.env): Promise<Line[]> {
  const home = await mkdtemp(join(tmpdir(), 'goalkeeper-doctor-'));
  try {
    const sandbox = await openSandbox({ mode: 'auto', home, limits: commandLimits() });
    const { protection } = sandbox;
    return [
      { check: 'processes', detail: processes(await hasNamespaces()) },
      { check: 'files', detail: files(protection), ...(protection.bwrap === null && OPEN) },
      { check: 'network', detail: network(protection) },
      { check: 'limits', detail: limits(sandbox.limits, protection) },
      { check: 'user', detail: user(protection) },
      ...(await embedded(environment.TEMPORAL_ADDRESS)),
      ...switchedOff(environment.GOALKEEPER_SANDBOX),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The protection that workers report; goals show the same as `isolation`. */
export function protectionOfWorkers(
  workers: readonly { isolation?: Isolation; limitedBy?: 'kernel' | 'counting' }[],
): string {
  const counts = new Map<string, number>();
  for (const { isolation = 'none', limitedBy = 'counting' } of workers) {
    const said = `isolation ${isolation} and limits by ${LIMITED[limitedBy]}`;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  return [...counts].map(([said, count]) => `${count} with ${said}`).join(', ');
}

const OPEN = { isOpen: true } as const;

const LIMITED = { kernel: 'the kernel', counting: 'counting' } as const;

const INSTALL = 'install bubblewrap and let the worker use it (docs/security.md)';

const processes = (isOwn: boolean): string =>
  isOwn
    ? 'of commands have numbers of their own here: nothing that they start outlives its attempt'
    : `of commands share the machine's numbers, and what leaves its session and its environment outlives its attempt: ${INSTALL}`;

const files = ({ bwrap, why }: Protection): string =>
  bwrap !== null
    ? 'commands write to the workspace only; home folders, sockets and the service are hidden here'
    : `commands reach all that their user can, as ${why}: ${INSTALL}`;

const network = ({ bwrap, hasOwnNetwork, why }: Protection): string => {
  if (hasOwnNetwork)
    return "commands have a loopback of their own here, and listed domains or the machine's network only where a goal's policy.sandbox.network says so";
  const reason = bwrap === null ? '' : `: ${why}`;
  return `commands reach what this machine can${reason}; allow the worker network namespaces to change that`;
};

const limits = (
  { memoryMb, tasks, diskMb, diskFiles }: ReturnType<typeof commandLimits>,
  { bwrap }: Protection,
): string => {
  const isKernels = process.getuid?.() !== 0 && bwrap !== null;
  const beside = isKernels ? ' (the kernel counts processes too)' : '';
  const groups = lookAtGroups();
  const held =
    'why' in groups
      ? `counted by looking for a worker that is started here${beside}, as ${groups.why}: let systemd start it (goalkeeper service install), which has the kernel hold them`
      : 'which the kernel holds for a worker that is started here, by a control group for each command';
  return `${memoryMb} MB of memory and ${tasks} processes and threads a command, ${held}; ${diskMb} MB and ${diskFiles} files of a disk. GOALKEEPER_COMMAND_LIMITS says otherwise`;
};

const user = ({ bwrap }: Protection): string => {
  if (process.getuid?.() !== 0) return 'without rights beyond its own';
  const ofRoot = bwrap === null ? 'refused' : 'with none of its rights';
  return `root: commands run as the owner of the workspace, and where that is root they are ${ofRoot}. Let workers run as another user`;
};

/** Nothing where Temporal is elsewhere. */
async function embedded(temporalAddress: string | undefined): Promise<Line[]> {
  if (temporalAddress) return [];
  const why = await whyNoOwnNetwork();
  if (why === null) return [{ check: 'temporal', detail: guardedTemporal }];
  return [{ check: 'temporal', detail: openTemporal(why), ...OPEN }];
}

function switchedOff(mode: string | undefined): Line[] {
  const ofRoot = process.getuid?.() === 0 ? ', so in a folder of root’s commands are refused' : '';
  return mode === 'off'
    ? [
        {
          ...OPEN,
          check: 'sandbox',
          detail: `is switched off by GOALKEEPER_SANDBOX${ofRoot}: unset it, or say require`,
        },
      ]
    : [];
}
