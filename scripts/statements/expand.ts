import ts from 'typescript';

/** One template of SQL, with the pieces that it is put together from. */
export interface Template {
  readonly node: ts.TaggedTemplateExpression;
  /** The type of its rows, where one is told. */
  readonly row: ts.Type | null;
  /** The text on the way that these choices lead. @throws Unreadable */
  write(choices: Choices): Way;
}

/** Which branch is taken at a condition, by its place; the first one unless told. */
export type Choices = ReadonlyMap<string, number>;

export interface Way {
  readonly text: string;
  /** Every condition that was met, with how many branches it has. */
  readonly met: ReadonlyMap<string, number>;
  /** The templates that its text comes from. */
  readonly parts: readonly ts.TaggedTemplateExpression[];
  /** The one that wrote what stands there. */
  partAt(position: number): ts.TaggedTemplateExpression;
}

/** Its text depends on more than what stands in the code. */
export class Unreadable extends Error {}

/** What is bound to the parameters of the functions that a piece of SQL comes from. */
type Bindings = ReadonlyMap<ts.Symbol, { readonly node: ts.Expression; readonly within: Bindings }>;

/** Every template of SQL in these files, and whether it stands inside of another one. */
export function findTemplates(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): (Template & { readonly isInner: boolean })[] {
  const all = files.flatMap((file) => templatesIn(file, checker));
  return all.map((node) => ({
    node,
    row: rowType(node, checker),
    isInner: isInside(node, all),
    write: (choices) => new Writer(checker, choices).way(node),
  }));
}

function templatesIn(file: ts.SourceFile, checker: ts.TypeChecker): ts.TaggedTemplateExpression[] {
  const found: ts.TaggedTemplateExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && isSql(checker.getTypeAtLocation(node.tag))) {
      found.push(node);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Has it what only the driver's tag has? */
const isSql = (type: ts.Type): boolean =>
  type.getProperty('unsafe') !== undefined && type.getProperty('json') !== undefined;

const isPiece = (type: ts.Type): boolean =>
  type.getProperty('describe') !== undefined && type.getProperty('execute') !== undefined;

const isHelper = (type: ts.Type): boolean =>
  type.getProperty('first') !== undefined && type.getProperty('rest') !== undefined;

function isInside(node: ts.Node, templates: readonly ts.Node[]): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (templates.includes(at)) return true;
    if (ts.isFunctionLike(at)) return false;
  }
  return false;
}

/** The element of `sql<Row[]>`. */
function rowType(node: ts.TaggedTemplateExpression, checker: ts.TypeChecker): ts.Type | null {
  const [given] = node.typeArguments ?? [];
  if (given === undefined) return null;
  return (
    checker.getIndexTypeOfType(checker.getTypeFromTypeNode(given), ts.IndexKind.Number) ?? null
  );
}

class Writer {
  private parameters = 0;
  private readonly path: number[] = [];
  private readonly met = new Map<string, number>();
  private readonly parts: ts.TaggedTemplateExpression[] = [];
  private readonly checker: ts.TypeChecker;
  private readonly choices: Choices;

  constructor(checker: ts.TypeChecker, choices: Choices) {
    this.checker = checker;
    this.choices = choices;
  }

  way(node: ts.TaggedTemplateExpression): Way {
    const text = this.write(node);
    const partAt = (position: number) => this.parts[markAt(text, position)] ?? node;
    return { text, met: this.met, parts: this.parts, partAt };
  }

  private choose(place: string, branches: number): number {
    this.met.set(place, branches);
    return this.choices.get(place) ?? 0;
  }

  private write(node: ts.TaggedTemplateExpression, bindings: Bindings = new Map()): string {
    const mark = `/*${this.parts.push(node) - 1}*/`;
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return `${mark}${template.text}/*end*/`;
    let text = template.head.text;
    for (const span of template.templateSpans) {
      text += this.value(span.expression, bindings, text) + span.literal.text;
    }
    return `${mark}${text}/*end*/`;
  }

  private value(node: ts.Expression, bindings: Bindings, before: string): string {
    const inner = withoutWrapping(node);
    if (ts.isTaggedTemplateExpression(inner)) return this.write(inner, bindings);
    if (ts.isConditionalExpression(inner)) {
      const type = this.checker.getTypeAtLocation(inner);
      if (isPiece(type) || [inner.whenTrue, inner.whenFalse].some((one) => this.isSqlValue(one))) {
        const taken = this.choose(this.placeOf(inner), 2) === 0 ? inner.whenTrue : inner.whenFalse;
        return this.value(taken, bindings, before);
      }
    }
    if (this.isSqlValue(inner)) return this.piece(inner, bindings, before);
    return this.parameter(inner);
  }

  private isSqlValue(node: ts.Expression): boolean {
    const type = this.checker.getTypeAtLocation(node);
    return isPiece(type) || isHelper(type);
  }

  private piece(node: ts.Expression, bindings: Bindings, before: string): string {
    if (ts.isIdentifier(node)) return this.named(node, bindings, before);
    if (!ts.isCallExpression(node)) throw this.unreadable(node);
    if (isHelper(this.checker.getTypeAtLocation(node))) return this.helper(node, before);
    const callee = this.functionOf(node.expression);
    if (callee === null) throw this.unreadable(node);
    const own = new Map(bindings);
    for (const [index, parameter] of callee.parameters.entries()) {
      const symbol = ts.isIdentifier(parameter.name)
        ? this.checker.getSymbolAtLocation(parameter.name)
        : undefined;
      const given = node.arguments[index];
      if (symbol === undefined) continue;
      if (given !== undefined) own.set(symbol, { node: given, within: bindings });
      else if (parameter.initializer)
        own.set(symbol, { node: parameter.initializer, within: bindings });
    }
    const results = resultsOf(callee);
    this.path.push(node.pos);
    const taken =
      results[results.length === 1 ? 0 : this.choose(this.placeOf(callee), results.length)];
    if (taken === undefined) throw this.unreadable(node);
    const text = this.value(taken, own, before);
    this.path.pop();
    return text;
  }

  private named(node: ts.Identifier, bindings: Bindings, before: string): string {
    const symbol = this.checker.getSymbolAtLocation(node);
    const bound = symbol && bindings.get(symbol);
    if (bound !== undefined) return this.value(bound.node, bound.within, before);
    const declared = symbol?.valueDeclaration;
    if (declared && (ts.isVariableDeclaration(declared) || ts.isParameter(declared))) {
      if (declared.initializer) return this.value(declared.initializer, bindings, before);
    }
    throw this.unreadable(node);
  }

  private functionOf(node: ts.Expression): ts.FunctionLikeDeclaration | null {
    let symbol = this.checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias)
      symbol = this.checker.getAliasedSymbol(symbol);
    const declared = symbol?.valueDeclaration;
    if (declared === undefined) return null;
    if (ts.isFunctionDeclaration(declared)) return declared;
    if (!ts.isVariableDeclaration(declared) || !declared.initializer) return null;
    return ts.isArrowFunction(declared.initializer) ? declared.initializer : null;
  }

  /** `sql(values)` behind IN, `sql(rows)` behind INSERT INTO: what the driver makes of them. */
  private helper(node: ts.CallExpression, before: string): string {
    const [first, ...rest] = node.arguments;
    if (first === undefined) throw this.unreadable(node);
    const type = this.checker.getTypeAtLocation(first);
    const element = this.checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (/\bIN\s*$/i.test(before)) return `(${this.typed(element ?? type)})`;
    const row = element ?? type;
    const names =
      rest.length > 0
        ? rest.map((one) => (ts.isStringLiteral(one) ? one.text : ''))
        : row.getProperties().map(({ name }) => name);
    const values = names.map((name) => {
      const property = row.getProperty(name);
      if (property === undefined) throw this.unreadable(node);
      return this.typed(this.checker.getTypeOfSymbol(property));
    });
    const columns = names.map((name) => `"${name}"`);
    if (/\bSET\s*$/i.test(before)) {
      return columns.map((column, index) => `${column}=${values[index]}`).join(',');
    }
    return `(${columns.join(',')})values(${values.join(',')})`;
  }

  private parameter(node: ts.Expression): string {
    return this.typed(this.checker.getTypeAtLocation(node));
  }

  /** The driver tells the server these types; all others it leaves to the server. */
  private typed(type: ts.Type): string {
    this.parameters += 1;
    const name = `$${this.parameters}`;
    const plain = this.checker.getNonNullableType(type);
    if (plain.flags & ts.TypeFlags.BooleanLike || isUnionOf(plain, ts.TypeFlags.BooleanLike)) {
      return `${name}::boolean`;
    }
    if (plain.getProperty('byteLength') !== undefined) return `${name}::bytea`;
    if (plain.getProperty('raw') !== undefined && plain.getProperty('value') !== undefined) {
      return `${name}::jsonb`;
    }
    return name;
  }

  private placeOf(node: ts.Node): string {
    return [...this.path, node.getSourceFile().fileName, node.pos].join('/');
  }

  private unreadable(node: ts.Node): Unreadable {
    return new Unreadable(`can't tell the SQL of \`${node.getText()}\``);
  }
}

function withoutWrapping(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node);
  return isWrapped ? withoutWrapping(node.expression) : node;
}

const isUnionOf = (type: ts.Type, flags: ts.TypeFlags): boolean =>
  type.isUnion() && type.types.every((one) => one.flags & flags);

/** What a function may return, in the order of its text. */
function resultsOf(callee: ts.FunctionLikeDeclaration): ts.Expression[] {
  const { body } = callee;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) node.forEachChild(visit);
  };
  visit(body);
  return found;
}

/** The innermost mark that is open there. */
function markAt(text: string, position: number): number {
  const open: number[] = [];
  for (const { 1: mark = '', index } of text.matchAll(/\/\*(\d+|end)\*\//g)) {
    if (index >= position) break;
    if (mark === 'end') open.pop();
    else open.push(Number(mark));
  }
  return open.at(-1) ?? 0;
}
