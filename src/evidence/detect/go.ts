import { type Detector, readText } from './found-check.ts';

export const detectGo: Detector = async (workspace) => {
  if ((await readText(workspace, 'go.mod')) === null) return [];
  return [
    { purpose: 'test', command: 'go test ./...' },
    { purpose: 'lint', command: 'go vet ./...' },
    { purpose: 'build', command: 'go build ./...' },
  ];
};
