// Converts the TypeScript types of messages to JSON Schema, with the compiler, so that documents match the types.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A message and the schema of its data. */
export interface MessageSchema {
  readonly type: string;
  readonly data: Schema;
}

/** The file that declares `MessagesOf`. */
const mapFile = fileURLToPath(new URL('../../../libs/domain/messages-of.ts', import.meta.url));
export const schemaRef = (name: string): string => `#/components/schemas/${name}`;

/** Reads the messages of each topic; interfaces met on the way are collected in `shapes` and referred to by name. */
export class TypeReader {
  readonly shapes = new Map<string, Schema>();
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor() {
    this.#program = ts.createProgram([mapFile], {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
    });
    this.#checker = this.#program.getTypeChecker();
  }

  /** Every message of a topic, in the order of the declarations. */
  messages(topic: string): readonly MessageSchema[] {
    const type = this.#declaredType(topic);
    const parts = ts.isUnionTypeNode(type) ? type.types : [type];
    return parts.flatMap((part) => {
      const union = this.#checker.getTypeFromTypeNode(part);
      return (union.isUnion() ? union.types : [union]).map((record) => this.#message(record));
    });
  }

  /** The type of the topic in `MessagesOf`. */
  #declaredType(topic: string): ts.TypeNode {
    const statements = this.#program.getSourceFile(mapFile)?.statements ?? [];
    const interfaces = [...statements].filter((one) => ts.isInterfaceDeclaration(one));
    const messagesOf = interfaces.find(({ name }) => name.text === 'MessagesOf');
    const members = [...(messagesOf?.members ?? [])].filter((one) => ts.isPropertySignature(one));
    const isTopic = (name: ts.PropertyName): boolean =>
      (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === topic;
    const type = members.find(({ name }) => isTopic(name))?.type;
    if (type === undefined) throw new Error(`${mapFile} names no messages of ${topic}`);
    return type;
  }

  #message(record: ts.Type): MessageSchema {
    const [type, data] = ['type', 'data'].map((name) => record.getProperty(name));
    const typeOfType = type && this.#checker.getTypeOfSymbol(type);
    if (typeOfType === undefined || !typeOfType.isStringLiteral() || data === undefined)
      throw new Error(`${this.#checker.typeToString(record)} is no record with one type`);
    return { type: typeOfType.value, data: this.#schema(this.#checker.getTypeOfSymbol(data)) };
  }

  #schema(type: ts.Type): Schema {
    if (isAnyJson(type, this.#checker)) return {};
    if (type.aliasSymbol?.name === 'JsonObject') return { type: 'object' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    const simple = simpleName(type);
    if (simple !== undefined) return { type: simple };
    if (type.isUnion()) return this.#union(type);
    if (this.#checker.isArrayType(type)) return { type: 'array', items: this.#schema(this.#argument(type)) };
    return isNamed(type) ? this.#shape(type) : this.#object(type);
  }

  #argument(type: ts.Type): ts.Type {
    const [element] = this.#checker.getTypeArguments(type as ts.TypeReference);
    if (element === undefined) throw new Error(`${this.#checker.typeToString(type)} has no element type`);
    return element;
  }

  /** Refers to an interface, whose schema is made once. */
  #shape(type: ts.Type): Schema {
    const { name } = type.symbol;
    if (!this.shapes.has(name)) {
      this.shapes.set(name, {});
      const description = this.#comment(type.symbol);
      this.shapes.set(name, { ...(description && { description }), ...this.#object(type) });
    }
    return { $ref: schemaRef(name) };
  }

  #union(union: ts.UnionType): Schema {
    const members = union.types.filter((member) => !(member.flags & ts.TypeFlags.Undefined));
    const literals = members.flatMap((member) =>
      member.isStringLiteral() ? [member.value] : member.flags & ts.TypeFlags.Null ? [null] : [],
    );
    if (literals.length === members.length) return { enum: literals.sort(nullLast) };
    const names = members.map(simpleName);
    // `boolean` is the union of `true` and `false`.
    if (names.every((name) => name !== undefined)) return { type: oneOrMore([...new Set(names)].sort(nullLast)) };
    const schemas = members.map((member) => this.#schema(member)).sort((a, b) => nullLast(rank(a), rank(b)));
    return schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas };
  }

  #object(type: ts.Type): Schema {
    const index = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (index !== undefined) return { type: 'object', additionalProperties: this.#schema(index) };
    const symbols = this.#checker.getPropertiesOfType(type);
    if (symbols.length === 0) throw new Error(`${this.#checker.typeToString(type)} has no schema`);
    const properties = Object.fromEntries(symbols.map((symbol) => [symbol.name, this.#property(symbol)]));
    const required = symbols.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  #property(symbol: ts.Symbol): Schema {
    const schema = this.#schema(this.#checker.getTypeOfSymbol(symbol));
    const description = this.#comment(symbol);
    if (description === '') return schema;
    // Fields next to a `$ref` are ignored (draft 7).
    return schema.$ref === undefined ? { ...schema, description } : { allOf: [schema], description };
  }

  #comment(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).replaceAll(/\s+/g, ' ').trim();
  }
}

/** Sorts unions, because the compiler's order depends on what else it has read. */
function nullLast(a: string | null, b: string | null): number {
  const [isLastA, isLastB] = [a, b].map((name) => name === null || name === 'null');
  if (isLastA !== isLastB) return isLastA ? 1 : -1;
  return a !== null && b !== null && a > b ? 1 : -1;
}

const rank = (schema: Schema): string => (schema.type === 'null' ? 'null' : JSON.stringify(schema));

const oneOrMore = (names: readonly string[]): string | readonly string[] =>
  names.length === 1 && names[0] !== undefined ? names[0] : names;

/** Whether it is an interface of this project; the name of a mapped type such as `Readonly` says nothing. */
const isNamed = (type: ts.Type): boolean =>
  type.symbol !== undefined && (type.symbol.flags & ts.SymbolFlags.Interface) !== 0;

/** Whether the type is `Json`, even if the compiler has merged its union with others. */
function isAnyJson(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.aliasSymbol?.name === 'Json' || type.flags & ts.TypeFlags.Unknown) return true;
  if (!type.isUnion() || !type.types.some(({ flags }) => flags & ts.TypeFlags.Null)) return false;
  return type.types.some(
    (member) =>
      checker.isArrayType(member) &&
      checker.getTypeArguments(member as ts.TypeReference).some(({ aliasSymbol }) => aliasSymbol?.name === 'Json'),
  );
}

function simpleName({ flags }: ts.Type): string | undefined {
  if (flags & ts.TypeFlags.String) return 'string';
  if (flags & ts.TypeFlags.Number) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  return flags & ts.TypeFlags.Null ? 'null' : undefined;
}
