import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from './command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-prices-'));
const file = join(folder, 'prices.json');
writeFileSync(file, '{"models": {\n"openai/x": {"inputPerMTok": "1",\n"outputPerMTok": -2}}}');

test.each(['up', 'worker', 'api'])(
  '%s refuses to start with a wrong price file, and names line and field',
  async (command) => {
    const { exitCode, err } = await start([command], {
      GOALKEEPER_HOME: folder,
      GOALKEEPER_PRICES: file,
      DATABASE_URL: 'postgresql://nobody:none@127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    }).done;
    expect(err).toContain(`${file} line 3, models › openai/x › outputPerMTok`);
    expect(exitCode).toBe(3);
  },
);
