import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellLine } from '../process/shell-line.ts';

/** Socket of the agent itself, and the one of the goal's tools, in the folder of the link. */
export const AGENT_SOCKET = 'agent';
export const TOOLS_SOCKET = 'tools';
const SCRIPT = 'bridge.cjs';

/**
 * What runs inside of the sandbox: it joins a socket of the host's to a program's input and output,
 * or to its own. It needs nothing but Node.
 */
const BRIDGE = `'use strict';
const { spawn } = require('node:child_process');
const { connect } = require('node:net');
const { constants } = require('node:os');
const [folder, name, command, ...args] = process.argv.slice(2);
const back = process.cwd();
process.chdir(folder);
const socket = connect(name);
socket.once('connect', () => {
  process.chdir(back);
  if (command === undefined) {
    process.stdin.pipe(socket).pipe(process.stdout);
    socket.once('close', () => process.exit(0));
    return;
  }
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('error', (error) => {
    console.error(command + ': ' + error.message);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.stdin.on('error', () => {});
  socket.pipe(child.stdin);
  child.stdout.pipe(socket, { end: false });
  child.once('close', (code, signal) => {
    socket.end();
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (signal) console.error(command + ': ended by ' + signal);
    setTimeout(() => process.exit(), 1000).unref();
  });
});
socket.once('error', (error) => {
  console.error('bridge: ' + error.message);
  process.exit(125);
});
`;

export const placeBridge = (folder: string): Promise<void> =>
  writeFile(join(folder, SCRIPT), BRIDGE, { flag: 'wx', mode: 0o644 });

/** The shell's words for a program with the bridge before it. */
export const bridged = (folder: string, command: string, args: readonly string[]): string =>
  shellLine([
    ...['exec', process.execPath, join(folder, SCRIPT), folder, AGENT_SOCKET, command],
    ...args,
  ]);

/** The name of the server of the goal's tools. */
export const TOOLS_SERVER = 'goalkeeper';

/** How the agent starts it. */
export const toolsServer = (folder: string) => ({
  name: TOOLS_SERVER,
  command: process.execPath,
  args: [join(folder, SCRIPT), folder, TOOLS_SOCKET],
  env: [],
});
