import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/**
 * `GOALKEEPER_FILE_TIMES=FILE` gets a line for each file of tests: seconds of a processor that it
 * took, of the children that it waited for as well, and its name. Which tests are long is read there.
 */
const path = process.env.GOALKEEPER_FILE_TIMES;
if (path !== undefined) {
  const before = processorSeconds();
  afterAll(() => {
    const took = (processorSeconds() - before).toFixed(1);
    appendFileSync(path, `${took} ${expect.getState().testPath ?? ''}\n`);
  });
}

/** Fields 14 to 17 of proc(5)'s stat, in hundredths of a second. */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
