import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/store/client.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

test('ROW-132 a process that looks while another one begins to seal does not call the record lost', async () => {
  const stores = await openRecord(keys);
  onTestFinished(() => stores.close());
  let looks = 0;
  // Between the two halves of the first look, another process begins and seals its first goal.
  const slow = new Proxy(stores.db, {
    apply(target, self, args) {
      const asked = Reflect.apply(target, self, args);
      looks += 1;
      if (looks > 1) return asked;
      return asked.then(async (rows: unknown) => {
        expect(await beginSealing(stores.db, keys)).toBe('begun');
        await stores.openTurn();
        return rows;
      });
    },
  }) as Database;
  expect(await beginSealing(slow, keys)).toBe('known');
  expect(looks).toBeGreaterThan(1);
  await stores.db.unsafe(
    'ALTER TABLE sealing DISABLE TRIGGER ALL; DELETE FROM sealing; ALTER TABLE sealing ENABLE TRIGGER ALL',
  );
  expect(await beginSealing(stores.db, keys)).toBe('lost');
});
