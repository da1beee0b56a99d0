import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/**
 * Renders the part of Go's text/template, with the functions of Helm, that our chart uses, so that tests can
 * check the rendered templates without Helm. Throws on everything that it does not support. Source:
 * https://pkg.go.dev/text/template and https://helm.sh/docs/chart_template_guide/function_list/
 */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly pipeline: string }
  | { readonly kind: 'if' | 'with' | 'range'; readonly branches: readonly Branch[] };
interface Branch {
  /** Undefined for `else`. */
  readonly condition: string | undefined;
  readonly body: readonly Node[];
}

const ACTION = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g;
const BLOCK = /^(if|with|range|define)\s+([\s\S]+)$/;
const TOKENS = /\s*(\(|\)|\||:=|,|"(?:[^"\\]|\\.)*"|-?\d+(?![\w.])|\$?[\w.]*[\w.$])/gy;

interface Scope {
  readonly dot: unknown;
  readonly root: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
}

export class ChartRenderer {
  readonly #defined = new Map<string, readonly Node[]>();
  readonly #files = new Map<string, readonly Node[]>();
  readonly #root: unknown;

  /** Templates by their names, `templates/NAME`. */
  constructor({ files, root }: { files: Readonly<Record<string, string>>; root: unknown }) {
    this.#root = root;
    for (const [name, text] of Object.entries(files)) {
      const items = this.#tokens(text);
      const { nodes, end } = this.#parse(items);
      if (end !== undefined || items.length > 0) throw new Error(`${name}: {{ ${end} }} closes nothing`);
      this.#files.set(name, nodes);
    }
  }

  render(name: string): string {
    return this.#run(this.#files.get(name)!, { dot: this.#root, root: this.#root, variables: {} });
  }

  #tokens(text: string): (string | { action: string })[] {
    const items: (string | { action: string })[] = [];
    let at = 0;
    let trimNext = false;
    for (const match of text.matchAll(ACTION)) {
      let before = text.slice(at, match.index);
      if (trimNext) before = before.trimStart();
      if (match[1] === '-') before = before.trimEnd();
      items.push(before, { action: match[2]! });
      trimNext = match[3] === '-';
      at = match.index + match[0].length;
    }
    const rest = text.slice(at);
    items.push(trimNext ? rest.trimStart() : rest);
    return items;
  }

  /** Parses up to the `end` or `else` of this block, which is returned too. */
  #parse(items: (string | { action: string })[]): { nodes: Node[]; end: string | undefined } {
    const nodes: Node[] = [];
    for (;;) {
      const item = items.shift();
      if (item === undefined) return { nodes, end: undefined };
      if (typeof item === 'string') {
        nodes.push({ kind: 'text', text: item });
        continue;
      }
      const { action } = item;
      if (action === 'end' || action === 'else' || action.startsWith('else ')) return { nodes, end: action };
      const block = BLOCK.exec(action);
      if (block === null) nodes.push({ kind: 'output', pipeline: action });
      else this.#parseBlock(block[1]!, block[2]!, items, nodes);
    }
  }

  #parseBlock(kind: string, head: string, items: (string | { action: string })[], nodes: Node[]): void {
    const branches: Branch[] = [];
    let condition: string | undefined = head;
    for (;;) {
      const { nodes: body, end } = this.#parse(items);
      branches.push({ condition, body });
      if (end === 'end') break;
      if (end === undefined) throw new Error(`{{ ${kind} ${head} }} has no end`);
      condition = /^else if (.+)$/.exec(end)?.[1];
    }
    if (kind === 'define') this.#defined.set(JSON.parse(head), branches[0]!.body);
    else nodes.push({ kind: kind as 'if' | 'with' | 'range', branches });
  }

  #run(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => this.#runNode(node, scope)).join('');
  }

  #runNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'output') return toText(this.#evaluate(node.pipeline, scope));
    if (node.kind === 'range') return this.#runRange(node.branches[0]!, scope);
    for (const { condition, body } of node.branches) {
      const value = condition === undefined ? true : this.#evaluate(condition, scope);
      if (!isTrue(value)) continue;
      return this.#run(
        body,
        node.kind === 'with' && condition !== undefined ? { ...scope, dot: value } : scope,
      );
    }
    return '';
  }

  #runRange({ condition, body }: Branch, scope: Scope): string {
    const [, name, item, source] = /^(\$\w+), (\$\w+) := (.+)$/.exec(condition!)!;
    return Object.entries(this.#evaluate(source!, scope) as object)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => {
        const variables = { ...scope.variables, [name!]: key, [item!]: value };
        return this.#run(body, { ...scope, dot: value, variables });
      })
      .join('');
  }

  #evaluate(pipeline: string, scope: Scope): unknown {
    const tokens = tokenize(pipeline);
    const value = this.#pipeline(tokens, scope);
    if (tokens.length > 0) throw new Error(`not understood: {{ ${pipeline} }}`);
    return value;
  }

  #pipeline(tokens: string[], scope: Scope): unknown {
    let value = this.#command(tokens, scope, []);
    while (tokens[0] === '|') {
      tokens.shift();
      value = this.#command(tokens, scope, [value]);
    }
    return value;
  }

  /** A function with its arguments, the piped one last, or a value alone. */
  #command(tokens: string[], scope: Scope, piped: unknown[]): unknown {
    const isCall = /^[a-z]\w*$/i.test(tokens[0]!);
    const name = isCall ? tokens.shift()! : undefined;
    const args: unknown[] = [];
    while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')')
      args.push(this.#operand(tokens, scope));
    if (name !== undefined) return this.#call(name, [...args, ...piped]);
    if (args.length !== 1 || piped.length > 0) throw new Error('a value is not a function');
    return args[0];
  }

  #operand(tokens: string[], scope: Scope): unknown {
    const token = tokens.shift()!;
    if (token === '(') {
      const value = this.#pipeline(tokens, scope);
      if (tokens.shift() !== ')') throw new Error('( without )');
      return value;
    }
    if (token.startsWith('"')) return JSON.parse(token);
    if (/^-?\d+$/.test(token)) return Number(token);
    const [first, ...path] = token.split('.');
    const start = first === '' ? scope.dot : first === '$' ? scope.root : scope.variables[first!];
    return path.filter((part) => part !== '').reduce((value, part) => fieldOf(value, part, token), start);
  }

  #call(name: string, args: readonly unknown[]): unknown {
    const text = (at: number) => toText(args[at]);
    switch (name) {
      case 'include': {
        const body = this.#defined.get(text(0)) ?? this.#files.get(text(0));
        if (body === undefined) throw new Error(`there is no template ${text(0)}`);
        return this.#run(body, { dot: args[1], root: args[1], variables: {} });
      }
      case 'eq':
        return args[0] === args[1];
      case 'kindIs':
        return text(0) === (typeof args[1] === 'number' ? 'float64' : typeof args[1]);
      case 'quote':
        return JSON.stringify(typeof args[0] === 'number' ? asFloat(args[0]) : text(0));
      case 'toJson':
        return JSON.stringify(args[0]);
      case 'toYaml':
        return stringify(args[0]).trimEnd();
      case 'nindent':
        return `\n${text(1).replace(/^/gm, ' '.repeat(Number(text(0))))}`;
      case 'default':
        return isTrue(args[1]) ? args[1] : args[0];
      case 'trunc':
        return text(1).slice(0, Number(text(0)));
      case 'trimSuffix':
        return text(1).endsWith(text(0)) ? text(1).slice(0, -text(0).length) : text(1);
      case 'sha256sum':
        return createHash('sha256').update(text(0)).digest('hex');
      case 'print':
        return args.map(toText).join('');
      case 'printf': {
        const rest = args.slice(1).map(toText);
        return text(0).replace(/%s/g, () => rest.shift()!);
      }
      default:
        throw new Error(`there is no function ${name}`);
    }
  }
}

function tokenize(text: string): string[] {
  const tokens = [...text.matchAll(TOKENS)].map(([, token]) => token!);
  if (tokens.join('').replace(/\s/g, '') !== text.replace(/\s/g, ''))
    throw new Error(`not understood: ${text}`);
  return tokens;
}

/** Helm prints nothing for missing values; here they are errors of the chart. */
function fieldOf(value: unknown, field: string, path: string): unknown {
  if (value === null || typeof value !== 'object' || !(field in value))
    throw new Error(`there is no ${path}`);
  return (value as Record<string, unknown>)[field];
}

function isTrue(value: unknown): boolean {
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Numbers of YAML are floats in Helm, and Go writes those with an exponent from a million on. */
function asFloat(value: number): string {
  return value < 1e6 ? String(value) : value.toExponential().replace(/\+(\d)$/, '+0$1');
}

function toText(value: unknown): string {
  if (value === null || typeof value === 'object' || value === undefined) throw new Error('not a text');
  return String(value);
}
