import { type Detector, readText } from './found-check.ts';

export const detectRust: Detector = async (workspace) => {
  if ((await readText(workspace, 'Cargo.toml')) === null) return [];
  return [
    { purpose: 'test', command: 'cargo test' },
    { purpose: 'build', command: 'cargo build' },
  ];
};
