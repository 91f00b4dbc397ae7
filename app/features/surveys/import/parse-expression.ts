/** A condition of another tool, parsed but not yet understood. */
export type Expression =
  | { kind: 'all' | 'any'; parts: Expression[] }
  | { kind: 'not'; part: Expression }
  | { kind: 'compare'; operator: Operator; left: Expression; right: Expression }
  | { kind: 'call'; name: string; args: Expression[] }
  /** `braced` names a question in XLSForm and SurveyJS, where other names mean something else; so does a path (`../age`) in XLSForm. */
  | { kind: 'name'; name: string; braced?: true }
  /** `isNumber` if it is written without quotes. */
  | { kind: 'value'; value: string; isNumber?: true }
  | { kind: 'list'; values: string[] }

export type Operator =
  | 'equal'
  | 'unequal'
  | 'contains'
  | 'lacks'
  | 'any-of'
  | 'all-of'
  | 'none-of'
  | 'at-least'
  | 'at-most'
  | 'more'
  | 'less'
  | 'answered'
  | 'unanswered'

const TOKEN =
  /\s*(?:\$?\{([^{}]{1,200})\}|((?:current\(\)\/|\.)?\.?\/[\w./-]*\w)|'([^']*)'|"([^"]*)"|[‘’]([^‘’]*)[‘’]|[“”]([^“”]*)[“”]|(\d+(?:\.\d+)?)(?![\w.])|(&&|\|\||!=|<>|<=|>=|==|=|<|>|\(|\)|\[|\]|,|!|\+|-|\*|\/)|([A-Za-z_]\w*(?:-[a-z]\w*)*(?:\.\w+)*|\d+X\w+(?:\.\w+)*|\.))/y
const MAX_EXPRESSION_LENGTH = 4000
const DEEPEST_NESTING = 60

type Token = { name: string } | { value: string; isNumber?: true } | { word: string }

/** The operator for its name in another tool: `=`, `eq`, `notempty`. */
export const findOperator = (word: string): Operator | undefined => OPERATORS.get(word.toLowerCase())

/** The expression with its names replaced, each by what `replace` makes of it. */
export function mapNames(expression: Expression, replace: (name: Extract<Expression, { kind: 'name' }>) => Expression): Expression {
  const map = (part: Expression) => mapNames(part, replace)
  switch (expression.kind) {
    case 'all':
    case 'any':
      return { ...expression, parts: expression.parts.map(map) }
    case 'not':
      return { ...expression, part: map(expression.part) }
    case 'compare':
      return { ...expression, left: map(expression.left), right: map(expression.right) }
    case 'call':
      return { ...expression, args: expression.args.map(map) }
    case 'name':
      return replace(expression)
    default:
      return expression
  }
}

/**
 * Parses conditions of SurveyJS (`{mode} = 'bus' and {age} >= 18`), XLSForm (`selected(${mode}, 'bus')`) and LimeSurvey (`mode.NAOK ==
 * "bus"`): comparisons, calls and arithmetic, joined by and, or, not and brackets.
 * @returns undefined for anything beyond that
 */
export function parseExpression(expression: string): Expression | undefined {
  const tokens = tokeniseExpression(expression.trim().replace(/^\{([^{}]*[\s(=<>!&|].*)\}$/s, '$1'))
  return tokens && new ExpressionParser(tokens).parse()
}

class ExpressionParser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Expression | undefined {
    const parsed = this.#parseJoined('any', 0)
    return this.#at === this.#tokens.length ? parsed : undefined
  }

  #takeWord(...words: string[]): boolean {
    const token = this.#tokens[this.#at]
    if (!token || !('word' in token) || !words.includes(token.word.toLowerCase())) return false
    this.#at += 1
    return true
  }

  /** Alternatives joined by "or", each of parts joined by "and". */
  #parseJoined(kind: 'any' | 'all', depth: number): Expression | undefined {
    if (depth > DEEPEST_NESTING) return undefined
    const parts: Expression[] = []
    do {
      const part = kind === 'any' ? this.#parseJoined('all', depth + 1) : this.#parseTest(depth + 1)
      if (!part) return undefined
      parts.push(part)
    } while (kind === 'any' ? this.#takeWord('or', '||') : this.#takeWord('and', '&&'))
    return parts.length === 1 ? parts[0] : { kind, parts }
  }

  #parseTest(depth: number): Expression | undefined {
    const left = this.#parseSum(depth)
    if (!left) return undefined
    const operator = this.#takeOperator()
    if (!operator) return left
    if (operator === 'answered' || operator === 'unanswered') return { kind: 'compare', operator, left, right: left }
    const right = this.#parseSum(depth)
    return right && { kind: 'compare', operator, left, right }
  }

  #takeOperator(): Operator | undefined {
    const token = this.#tokens[this.#at]
    const operator = token && 'word' in token ? OPERATORS.get(token.word.toLowerCase()) : undefined
    if (operator) this.#at += 1
    return operator
  }

  /** Arithmetic is a call named by its sign. */
  #parseSum(depth: number): Expression | undefined {
    return this.#parseOperations(SUM_SIGNS, () => this.#parseOperations(PRODUCT_SIGNS, () => this.#parseTerm(depth)))
  }

  #parseOperations(signs: ReadonlyMap<string, string>, parseOperand: () => Expression | undefined): Expression | undefined {
    let left = parseOperand()
    while (left) {
      const token = this.#tokens[this.#at]
      const name = token && 'word' in token ? signs.get(token.word.toLowerCase()) : undefined
      if (!name) break
      this.#at += 1
      const right = parseOperand()
      left = right && { kind: 'call', name, args: [left, right] }
    }
    return left
  }

  #parseTerm(depth: number): Expression | undefined {
    if (depth > DEEPEST_NESTING) return undefined
    if (this.#takeWord('(')) {
      const inner = this.#parseJoined('any', depth + 1)
      return inner && this.#takeWord(')') ? inner : undefined
    }
    if (this.#takeWord('[')) return this.#parseList()
    if (this.#takeWord('!')) return this.#parseNot(depth)
    if (this.#takeWord('-')) return negateTerm(this.#parseTerm(depth + 1))
    const token = this.#tokens[this.#at++]
    if (!token) return undefined
    if ('name' in token) return { kind: 'name', name: token.name.trim(), braced: true }
    if ('value' in token) return { kind: 'value', ...token }
    if (!/^(?:[A-Za-z_\d]|\.$)/.test(token.word) || OPERATORS.has(token.word.toLowerCase())) return undefined
    if (this.#takeWord('(')) return this.#parseCall(token.word, depth)
    if (token.word === 'not') {
      const part = this.#parseTest(depth + 1)
      return part && { kind: 'not', part }
    }
    return /^(true|false)$/i.test(token.word) ? { kind: 'value', value: token.word.toLowerCase() } : { kind: 'name', name: token.word }
  }

  /** Of `!a == b`, only `a` is negated. */
  #parseNot(depth: number): Expression | undefined {
    const part = this.#parseTerm(depth + 1)
    if (!part) return undefined
    const isBlank = this.#takeWord('empty')
    if (!isBlank && !this.#takeWord('notempty')) return { kind: 'not', part }
    return { kind: 'not', part: { kind: 'compare', operator: isBlank ? 'unanswered' : 'answered', left: part, right: part } }
  }

  #parseCall(name: string, depth: number): Expression | undefined {
    const args: Expression[] = []
    if (this.#takeWord(')')) return { kind: 'call', name: name.toLowerCase(), args }
    do {
      const arg = this.#parseJoined('any', depth + 1)
      if (!arg) return undefined
      args.push(arg)
    } while (this.#takeWord(','))
    return this.#takeWord(')') ? { kind: 'call', name: name.toLowerCase(), args } : undefined
  }

  #parseList(): Expression | undefined {
    const values: string[] = []
    if (this.#takeWord(']')) return { kind: 'list', values }
    do {
      const sign = this.#takeWord('-') ? '-' : ''
      const token = this.#tokens[this.#at++]
      if (!token || !('value' in token)) return undefined
      values.push(sign + token.value)
    } while (this.#takeWord(','))
    return this.#takeWord(']') ? { kind: 'list', values } : undefined
  }
}

function negateTerm(term: Expression | undefined): Expression | undefined {
  if (term?.kind === 'value') return { ...term, value: `-${term.value}` }
  return term && { kind: 'call', name: '-', args: [{ kind: 'value', value: '0' }, term] }
}

const SUM_SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', '+'],
  ['-', '-'],
])
const PRODUCT_SIGNS: ReadonlyMap<string, string> = new Map([
  ['*', '*'],
  ['/', 'div'],
  ['div', 'div'],
  ['mod', 'mod'],
])

function tokeniseExpression(text: string): Token[] | undefined {
  if (text.length > MAX_EXPRESSION_LENGTH) return undefined
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (!found) return undefined
    const [, braced, path, single, double, curlySingle, curlyDouble, number, sign, word] = found
    const name = braced ?? path
    const value = single ?? double ?? curlySingle ?? curlyDouble ?? number
    if (name !== undefined) tokens.push({ name })
    else
      tokens.push(value === undefined ? { word: sign ?? word ?? '' } : { value, ...(number !== undefined && { isNumber: true as const }) })
  }
  return tokens
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['=', 'equal'],
  ['==', 'equal'],
  ['eq', 'equal'],
  ['equal', 'equal'],
  ['!=', 'unequal'],
  ['<>', 'unequal'],
  ['ne', 'unequal'],
  ['notequal', 'unequal'],
  ['contains', 'contains'],
  ['contain', 'contains'],
  ['notcontains', 'lacks'],
  ['notcontain', 'lacks'],
  ['anyof', 'any-of'],
  ['allof', 'all-of'],
  ['noneof', 'none-of'],
  ['>=', 'at-least'],
  ['ge', 'at-least'],
  ['greaterorequal', 'at-least'],
  ['<=', 'at-most'],
  ['le', 'at-most'],
  ['lessorequal', 'at-most'],
  ['>', 'more'],
  ['gt', 'more'],
  ['greater', 'more'],
  ['<', 'less'],
  ['lt', 'less'],
  ['less', 'less'],
  ['empty', 'unanswered'],
  ['notempty', 'answered'],
])
