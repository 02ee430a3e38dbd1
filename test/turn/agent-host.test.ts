import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Declined } from '../../src/agents/host-requests.ts';
import type { AgentLedger } from '../../src/turn/agent-calls.ts';
import { hostFor } from '../../src/turn/agent-host.ts';
import type { OfferedGoalTools } from '../../src/turn/agent-tools.ts';
import type { SliceRun } from '../../src/turn/slice-run.ts';

describe('a file that an agent has its client write', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'goalkeeper-agent-host-'));
    path = join(folder, 'answer.txt');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Asks to write, and does something else before the turn of the write comes. */
  async function writeLate(content: string, meanwhile: () => Promise<void>): Promise<unknown> {
    const ports = { tools: { declarations: () => [] } };
    const run = { brief: { workspace: { path: folder } }, ports } as unknown as SliceRun;
    const tools: OfferedGoalTools = {
      ...{ declarations: [], call: expect.unreachable, ending: () => null, askPerson: () => {} },
      async callHost(_, input, whyNot) {
        await meanwhile();
        const why = (await whyNot?.()) ?? null;
        if (why !== null) return { text: why, isError: true };
        await writeFile(path, (JSON.parse(input) as { content: string }).content);
        return { text: 'Written.', isError: false };
      },
    };
    const host = hostFor(run, {} as AgentLedger, tools, { grants: [], onEnding: () => {} });
    return await host.write(path, content).catch((error: unknown) => error);
  }

  test('AGT-28 is written where the file is as it was asked for', async () => {
    await writeFile(path, '40\n');
    expect(await writeLate('41\n', async () => {})).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('41\n');
  });

  test('AGT-28 is left alone where the agent went on meanwhile, and changed it once more', async () => {
    const refused = await writeLate('41\n', () => writeFile(path, '42\n'));
    expect(refused).toBeInstanceOf(Declined);
    expect(await readFile(path, 'utf8')).toBe('42\n');
  });

  test('AGT-28 is no conflict where the agent has written the very same itself', async () => {
    await writeFile(path, '40\n');
    expect(await writeLate('41\n', () => writeFile(path, '41\n'))).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('41\n');
  });
});
