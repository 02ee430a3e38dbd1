import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEffects } from '../../../src/workspace/helper/client.ts';
import { WAYS, type Way } from './ways.ts';

const TWO = `setsid bash -c 'echo $$ > wanderer; exec sleep 60' & echo $$ > command; sleep 60`;

const [, , cwd = '.', way = 'numbered', command = TWO] = process.argv;
const effects = startEffects({
  host: 'test',
  onSpawn: async ({ pid }) => writeFileSync(join(cwd, 'helper'), `${pid}\n`),
  canHaveNumbers: WAYS[way as Way],
});
await effects.runCommand({
  command,
  cwd,
  timeoutMs: 60_000,
  maxOutputBytes: 1000,
  signal: new AbortController().signal,
});
