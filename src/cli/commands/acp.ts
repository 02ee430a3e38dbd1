import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { StartGoal } from '../../../schema/goal.ts';
import { onClosedOutput } from '../../process/hang-up.ts';
import { acpAgent } from '../acp/agent.ts';
import type { Folder } from '../acp/folder.ts';
import { type Client, createClient } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findService } from '../service.ts';
import { processTerminal } from '../terminal.ts';
import { untilEnded } from '../until-ended.ts';
import { inputOf, type RunOptions } from './run.ts';

/** An agent on stdin and stdout, for editors that start their agents as processes. */
export async function acp(options: RunOptions): Promise<ExitCode> {
  const app = acpAgent({
    findClient: () => createClient(findService(process.env)),
    startOf: (client, folder, objective) => startOf(client, folder, objective, options),
  });
  const stream = ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  const unread = new Promise<void>(onClosedOutput);
  await Promise.race([connection.closed, unread, untilEnded()]);
  connection.close();
  return EXIT.complete;
}

/** As "run" reads it; nobody is asked on this process's terminal, which is the editor's. */
async function startOf(
  client: Client,
  { name, path }: Folder,
  objective: string,
  options: RunOptions,
): Promise<StartGoal> {
  const terminal = { ...processTerminal(), isInteractive: false };
  const session = { client, terminal, isJson: false };
  const asked = await inputOf(session, objective, { ...options, workspace: path });
  const { mode } = asked.workspace ?? {};
  return { ...asked, workspace: { name, ...(mode === undefined ? {} : { mode }) } };
}
