import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { SealedKeys } from '../sealed/keys.ts';
import { createPayloadCodec, type Side } from './payload-codec.ts';

/** Messages and stack traces of failures are encrypted too. */
export const FAILURE_CONVERTER = fileURLToPath(new URL('./failure-converter.cjs', import.meta.url));

export const sealedConverter = (keys: SealedKeys, side: Side): DataConverter => ({
  failureConverterPath: FAILURE_CONVERTER,
  payloadCodecs: [createPayloadCodec(keys, side)],
});
