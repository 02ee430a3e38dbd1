import { closeSync, openSync, readSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { diskFaultOf } from '../../src/process/disk-fault.ts';

const failed = (code: string, syscall: string, errno: number = -1) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, errno });

const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('KEEP-85 whatever a call on files answers is the machine’s: by the words here, or by those of the system', () => {
  expect(diskFaultOf(thrownBy(() => truncateSync('/dev/full/x')))).toMatchObject({
    why: 'a part of the path is no folder',
  });
  const { ENOLCK, EMLINK } = constants.errno as Record<string, number>;
  expect(diskFaultOf(failed('EMLINK', 'link', -(EMLINK ?? 0)))).toMatchObject({
    ...{ why: 'too many links', wayOut: expect.stringContaining('kernel') },
  });
  expect(diskFaultOf(failed('ENOLCK', 'open', -(ENOLCK ?? 0)))).not.toBeNull();
  // The library knows no name of this one: the structure of the disk is damaged.
  expect(diskFaultOf(failed('Unknown system error -117', 'open', -117))).not.toBeNull();
});

test('KEEP-85 what a line or a mistake of the program gets is no fault of a disk', async () => {
  const away = await new Promise((resolve) => connect(1, '127.0.0.1').on('error', resolve));
  expect(diskFaultOf(away)).toBeNull();
  for (const code of ['EPIPE', 'ECONNRESET']) expect(diskFaultOf(failed(code, 'write'))).toBeNull();
  const file = openSync('/dev/null', 'r');
  closeSync(file);
  expect(diskFaultOf(thrownBy(() => readSync(file, Buffer.alloc(1))))).toBeNull();
  expect(diskFaultOf(new TypeError('no'))).toBeNull();
});
