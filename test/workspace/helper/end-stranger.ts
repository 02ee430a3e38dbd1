import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { endHelper } from '../../../src/workspace/helper/end.ts';
import { onHost } from '../../tools/support.ts';

/** Ends a process of this one's own session as a helper, and tells that it is still there itself. */
const [told = ''] = process.argv.slice(2);
const helper = spawn('sleep', ['60'], { stdio: 'ignore' });
await once(helper, 'spawn');
const ended = once(helper, 'exit');
await endHelper(onHost(helper.pid ?? 0), hostname());
const [, signal] = await ended;
writeFileSync(told, String(signal));
