import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEffects } from '../../../src/tools/effects/client.ts';

const [, , cwd = '.'] = process.argv;
const effects = startEffects({
  host: 'test',
  onSpawn: async ({ pid }) => writeFileSync(join(cwd, 'helper'), `${pid}\n`),
});
await effects.runCommand({
  command: `setsid bash -c 'echo $$ > wanderer; exec sleep 60' & echo $$ > command; sleep 60`,
  cwd,
  timeoutMs: 60_000,
  maxOutputBytes: 1000,
  signal: new AbortController().signal,
});
