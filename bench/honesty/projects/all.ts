import type { Workshop } from '../workshop.ts';
import { cargo, go } from './compiled.ts';
import { doctest } from './doctest.ts';
import { gradle } from './gradle.ts';
import { maven } from './maven.ts';
import { monorepo } from './monorepo.ts';
import { cmake, make } from './native.ts';
import { typescript } from './node-built.ts';
import { bundled } from './node-bundled.ts';
import { contract, golden } from './node-data.ts';
import { jest, vitest } from './node-large.ts';
import { ava, mocha, tape } from './node-packages.ts';
import { rootPackage, workspaces } from './node-packages-many.ts';
import { nodeTest } from './node-test.ts';
import { pytest } from './pytest.ts';
import { prove, shell } from './scripts.ts';
import { unittest } from './unittest.ts';
import { venv } from './venv.ts';

export const workshops: readonly Workshop[] = [
  nodeTest,
  tape,
  mocha,
  ava,
  jest,
  vitest,
  typescript,
  golden,
  contract,
  workspaces,
  rootPackage,
  pytest,
  unittest,
  doctest,
  venv,
  go,
  cargo,
  make,
  cmake,
  prove,
  shell,
  maven,
  gradle,
  monorepo,
  bundled,
];
