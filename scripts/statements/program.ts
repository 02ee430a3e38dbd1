import { join } from 'node:path';
import ts from 'typescript';

export interface Problem {
  /** File and line. */
  readonly place: string;
  readonly message: string;
}

/** The service below `root`. */
export function programOf(root: string): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const only = { ...config, include: ['src'], exclude: ['src/ui'] };
  const { fileNames, options } = ts.parseJsonConfigFileContent(only, ts.sys, root);
  return ts.createProgram(fileNames, { ...options, incremental: false, noEmit: true });
}

/** What the compiler says of it. */
export function typeProblems(root: string): Problem[] {
  const program = programOf(root);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => ({
    place: file === undefined ? '' : lineOf(file, start, root),
    message: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
}

export const placeOf = (node: ts.Node, root: string): string =>
  lineOf(node.getSourceFile(), node.getStart(), root);

function lineOf(file: ts.SourceFile, position: number, root: string): string {
  const { line } = file.getLineAndCharacterOfPosition(position);
  return `${file.fileName.slice(root.length)}:${line + 1}`;
}
