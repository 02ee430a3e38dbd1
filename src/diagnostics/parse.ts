import { isAbsolute, relative } from 'node:path';
import { normalisePath } from '../proof/evidence.ts';

/** One finding of a checker. */
export interface Diagnostic {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Null where the checker names none. */
  readonly column: number | null;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly rule?: string;
}

export type Parser = (output: string, workspace: string) => Diagnostic[];

/** The most findings to parse, which bounds the cost of runaway output. */
export const MOST_FINDINGS = 5000;

interface Named {
  readonly path?: string | undefined;
  readonly line?: string | undefined;
  readonly column?: string | undefined;
  readonly severity?: string | undefined;
  readonly message?: string | undefined;
  readonly rule?: string | undefined;
  /** Line and column once more, where a form has two ways to say them. */
  readonly row?: string | undefined;
  readonly place?: string | undefined;
}

/** For checkers that say everything in one line; `form` names the parts. */
function lineByLine(form: RegExp): Parser {
  return (output, workspace) => {
    const found = [...readable(output).matchAll(form)].slice(0, MOST_FINDINGS);
    return found.map(({ groups }) => toDiagnostic(groups as Named, workspace));
  };
}

/** Parts of a line are found by trying: a line without end would take for ever. */
function readable(output: string): string {
  return output.replace(LONG_LINE, (line) => line.slice(0, LONGEST_LINE));
}

const LONGEST_LINE = 1000;
const LONG_LINE = new RegExp(`[^\\n]{${LONGEST_LINE},}`, 'g');

function toDiagnostic(named: Named, workspace: string): Diagnostic {
  const { path = '', severity = 'error', message = '', rule } = named;
  const { line = named.row, column = named.place } = named;
  return {
    path: normalisePath(isAbsolute(path) ? relative(workspace, path) : path),
    line: Number(line ?? 1),
    column: column === undefined ? null : Number(column),
    severity: /^(?:fatal )?error$/i.test(severity) ? 'error' : 'warning',
    message: message.trim(),
    ...(rule === undefined ? {} : { rule }),
  };
}

export const parseTypescript: Parser = lineByLine(
  /^(?<path>[^\s(][^\n(]*)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<rule>TS\d+): (?<message>[^\n]*)$/gm,
);

export const parseGo: Parser = lineByLine(
  /^(?:vet: )?(?<path>[^\s:#][^:\n]*\.go):(?<line>\d+):(?<column>\d+): (?<message>[^\n]*)$/gm,
);

export const parseCargo: Parser = lineByLine(
  /^(?<path>[^\s:][^:\n]*\.rs):(?<line>\d+):(?<column>\d+): (?<severity>error|warning)(?:\[(?<rule>\w+)\])?: (?<message>[^\n]*)$/gm,
);

export const parseRuff: Parser = lineByLine(
  /^(?<path>[^\s:][^:\n]*\.(?:pyi?|ipynb)):(?<line>\d+):(?<column>\d+): (?<rule>[A-Z]+\d+|invalid-syntax):? (?<message>[^\n]*)$/gm,
);

export const parseMypy: Parser = lineByLine(
  /^(?<path>[^\s:][^:\n]*\.pyi?):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>error|warning): (?<message>[^\n]*?)(?: {2}\[(?<rule>[\w-]+)\])?$/gm,
);

export const parsePyright: Parser = lineByLine(
  /^ +(?<path>\/?[^\n]*?\.pyi?):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning): (?<message>[^\n]*?)(?: \((?<rule>report\w+)\))?$/gm,
);

export const parseBiome: Parser = lineByLine(
  /^(?<path>[^\s:][^:\n]*):(?<line>\d+):(?<column>\d+) (?<rule>[\w/]+)[^\n]*\n\n {2}[×✖!] (?<message>[^\n]*)$/gm,
);

/** As most compilers and linters say it: `file:line:column: error: message`, or `file(line,column)`. */
export const parseAny: Parser = lineByLine(
  /^ *(?<path>(?=[^\s:(]*[a-z/])[^\s:(]+|[^\s:(][^:\n(]*\.\w+)(?::(?<line>\d+)(?::(?<column>\d+))?|\((?<row>\d+)(?:,(?<place>\d+))?\))(?::| (?! ))[ ]*(?:(?<severity>fatal error|error|warning|note|info|style)\b[: ]*)?(?:\[?(?<rule>[A-Z]+\d+)\]?[: ]+)?(?<message>[^\n]*\S)[ ]*$/gim,
);

/** `compileall` shows where, the line itself, and only then what is wrong. */
export const parseCompileall: Parser = lineByLine(
  /^ {2}File "(?<path>[^"\n]+)", line (?<line>\d+)\n(?: {4}[^\n]*\n)*(?<message>(?:Syntax|Indentation|Tab)Error: [^\n]*)$/gm,
);

const FILE_LINE = /^(?<path>\/[^\n]+|[^\s:][^\n]*\.\w+)$/;
const FINDING =
  /^ {2}(?<line>\d+):(?<column>\d+) +(?<severity>error|warning) {2}(?<message>.*?)(?: {2,}(?<rule>[@\w/-]+))?$/;

/** ESLint names a file once, above its findings. */
export const parseEslint: Parser = (output, workspace) => {
  const found: Diagnostic[] = [];
  let path = '';
  for (const line of readable(output).split('\n')) {
    const finding = FINDING.exec(line);
    if (finding !== null) found.push(toDiagnostic({ ...finding.groups, path }, workspace));
    else path = FILE_LINE.exec(line)?.groups?.path ?? path;
    if (found.length >= MOST_FINDINGS) break;
  }
  return found;
};

/** Only what lies in these files and folders; without any, everything. */
export function diagnosticsIn(
  diagnostics: readonly Diagnostic[],
  paths: readonly string[],
): readonly Diagnostic[] {
  const wanted = paths.map(normalisePath);
  if (wanted.length === 0) return diagnostics;
  return diagnostics.filter(({ path }) =>
    wanted.some((part) => part === '' || path === part || path.startsWith(`${part}/`)),
  );
}
