import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { SWAPPED } from '../../src/sandbox/same-places.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { FILTER_DESCRIPTOR } from '../../src/sandbox/seccomp.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { SANDBOX } from './support.ts';

async function ground() {
  const root = await realpath(await temporaryFolder());
  const [home, workspace, victim] = ['home', 'work', 'victim'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, join(workspace, 'docs'), join(workspace, 'node_modules/lib'), victim])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, 'docs/secret'), 'of the workspace');
  writeFileSync(join(victim, 'secret'), 'of the host');
  const sandbox = await openSandbox({ mode: 'auto', home, limits: commandLimits() });
  const swap = (at: string) => {
    renameSync(at, join(root, 'aside'));
    symlinkSync(victim, at);
  };
  return { root, home, workspace, victim, sandbox, swap };
}

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly filter?: Uint8Array | null;
}

const textOf = async (stream: Readable | null) => (stream === null ? '' : await text(stream));

/** All that it writes. */
async function saidBy({ file, args, env = {}, filter = null }: Program): Promise<string> {
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'],
  });
  const input = child.stdio[FILTER_DESCRIPTOR];
  if (input && 'end' in input) input.on('error', () => {}).end(filter ?? '');
  const ended = once(child, 'close');
  const [out, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  await ended;
  return out + errors;
}

describeWith(
  SANDBOX,
  'BOX-26: what a box shows of a folder that commands write is compared',
  () => {
    for (const right of ['reads', 'writes'] as const) {
      test(`an MCP server that ${right} a folder gets none that was swapped with a link since`, async () => {
        const { workspace, sandbox, swap } = await ground();
        const docs = join(workspace, 'docs');
        const server = async () => {
          const box = await sandbox.boxServer({
            ...{
              name: 'docs',
              command: 'cat',
              args: [join(docs, 'secret')],
              reads: [],
              writes: [],
            },
            ...{ network: 'none', [right]: [docs] },
          });
          return { file: box.command, args: box.args, env: box.env };
        };
        expect(await saidBy(await server())).toContain('of the workspace');
        const before = await server();
        swap(docs);
        const said = await saidBy(before);
        expect(said).toContain(SWAPPED);
        expect(said).not.toContain('of the host');
      });
    }

    test('a proof gets no packages of the workspace that were swapped with a link since', async () => {
      const { root, home, workspace, sandbox, swap } = await ground();
      const lib = join(workspace, 'node_modules/lib');
      const [place, ofProof] = [join(home, 'place'), join(root, 'proof-home')];
      mkdirSync(place);
      mkdirSync(ofProof);
      const lent = [{ at: 'node_modules', from: join(workspace, 'node_modules'), fresh: [] }];
      const box = await sandbox.box(
        { goalId: 'g-1', workspace, network: 'none' },
        { root: place, home: ofProof, isInPlace: true, lent },
      );
      swap(lib);
      const [file = '', ...args] = [
        ...(box.launcher ?? []),
        '--',
        ...box.entry,
        'cat',
        `${lib}/secret`,
      ];
      const said = await saidBy({ file, args, filter: box.filter });
      expect(said).toContain(SWAPPED);
      expect(said).not.toContain('of the host');
    });
  },
);

describeWith(SANDBOX, 'BOX-28: what makes a box writes to what the box may write to', () => {
  test('a link on the way to a mount, put there since the host looked, makes no folder elsewhere', async () => {
    const { root, home, victim } = await ground();
    const person = join(root, 'person');
    const workspace = join(person, 'code/shop');
    mkdirSync(workspace, { recursive: true });
    vi.stubEnv('HOME', person);
    onTestFinished(() => void vi.unstubAllEnvs());
    const sandbox = await openSandbox({ mode: 'auto', home, limits: commandLimits() });
    const open = async () => {
      const box = await sandbox.box({ goalId: 'g-1', workspace, network: 'none' }, {});
      const [file = '', ...args] = [...(box.launcher ?? []), '--', ...box.entry, 'ls', workspace];
      return { file, args, filter: box.filter };
    };
    const before = await open();
    // bwrap sees the machine there while it makes the box.
    symlinkSync(`/oldroot${victim}`, join(home, 'sandbox/g-1/home/code'));
    const said = await saidBy(before);
    expect(readdirSync(victim)).toEqual(['secret']);
    expect(said).toMatch(/read-only/i);
    expect(await saidBy(await open())).toBe('');
  });
});
