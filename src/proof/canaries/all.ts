import type { CanaryKind } from './canary.ts';
import { cargoTest } from './cargo-test.ts';
import { goTest } from './go-test.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { nodeTest } from './node-test.ts';
import { pytest } from './pytest.ts';
import { tape } from './tape.ts';
import { unittest } from './unittest.ts';
import { vitest } from './vitest.ts';

/** A new runner is a file here. */
export const canaryKinds: readonly CanaryKind[] = [
  nodeTest,
  vitest,
  jest,
  tape,
  goTest,
  cargoTest,
  pytest,
  unittest,
  mocha,
];
