import type { Expression } from './parse-expression.ts'

/** The name of a question in one copy of its repeat. */
export const nameCopy = (name: string, copy: number): string => `${name}#${copy}`

/**
 * What is asked in repeats, which become copies. Inside, a name means the question of the same copy; from outside,
 * XPath means all of them by it, and a comparison holds if it does for any.
 */
export class RepeatCopies {
  /** Copies by the names of what was asked in a repeat that is over; 0 if copies hold copies. */
  readonly #copies = new Map<string, number>()
  /** Copies by the names of repeats; undefined if their number depends on answers. */
  readonly #repeats = new Map<string, number | undefined>()
  /** What must hold for each copy to be asked, by the names of what is asked in them. */
  readonly #exist = new Map<string, readonly (Expression | undefined)[]>()
  readonly #resolveName: (name: string) => string
  readonly #isAsked: (name: string) => boolean

  constructor(resolveName: (name: string) => string, isAsked: (name: string) => boolean) {
    this.#resolveName = resolveName
    this.#isAsked = isAsked
  }

  /** @param exist what must hold for each copy to be asked */
  begin(repeat: readonly string[], inside: readonly string[], exist: readonly (Expression | undefined)[]): void {
    const isFixed = exist.every((each) => each === undefined)
    for (const name of repeat) this.#repeats.set(name, isFixed ? exist.length : undefined)
    this.forget(inside)
  }

  end(inside: readonly string[], exist: readonly (Expression | undefined)[]): void {
    for (const name of inside) {
      this.#copies.set(name, this.#copies.has(name) ? 0 : exist.length)
      this.#exist.set(name, exist)
    }
  }

  /** Names that have another meaning from here on. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#copies.delete(name)
  }

  /** An expression that names single copies. @returns undefined if it cannot be expressed that way */
  place(expression: Expression): Expression | undefined {
    switch (expression.kind) {
      case 'all':
      case 'any': {
        const parts = this.#placeAll(expression.parts)
        return parts && { ...expression, parts }
      }
      case 'not': {
        const part = this.place(expression.part)
        return part && { ...expression, part }
      }
      case 'compare':
        return this.#placeComparison(expression)
      case 'call': {
        const single = this.#placeCall(expression)
        if (single) return single
        const args = this.#placeAll(expression.args)
        return args && { ...expression, args }
      }
      case 'name':
        return this.#countCopies(expression) === undefined ? expression : undefined
      default:
        return expression
    }
  }

  #placeAll(parts: readonly Expression[]): Expression[] | undefined {
    const placed = parts.flatMap((part) => this.place(part) ?? [])
    return placed.length === parts.length ? placed : undefined
  }

  #placeComparison(expression: Extract<Expression, { kind: 'compare' }>): Expression | undefined {
    for (const [side, otherSide] of [
      ['left', 'right'],
      ['right', 'left'],
    ] as const) {
      const of = expression[side]
      const count = this.#countCopies(of)
      if (of.kind !== 'name' || count === undefined) continue
      const [copies, other] = [this.#listCopies(of, count), this.place(expression[otherSide])]
      const exist = this.#exist.get(this.#resolveName(of.name)) ?? []
      const parts = copies?.map((copy, index): Expression => {
        const [compared, exists] = [{ ...expression, [side]: copy, [otherSide]: other }, exist[index]]
        return exists ? { kind: 'all', parts: [exists, compared] } : compared
      })
      return parts && other && { kind: 'any', parts }
    }
    const [left, right] = [this.place(expression.left), this.place(expression.right)]
    return left && right && { ...expression, left, right }
  }

  #listCopies(of: Extract<Expression, { kind: 'name' }>, count: number): Expression[] | undefined {
    const names = Array.from({ length: count }, (_, index) => nameCopy(this.#resolveName(of.name), index + 1))
    return names.length > 0 && names.every((name) => this.#isAsked(name)) ? names.map((name) => ({ ...of, name })) : undefined
  }

  /** `indexed-repeat` with a constant place, and how many copies there are. */
  #placeCall({ name, args }: Extract<Expression, { kind: 'call' }>): Expression | undefined {
    const [of, repeat, place] = args
    if (of?.kind !== 'name') return undefined
    if (name === 'indexed-repeat' && args.length === 3 && repeat?.kind === 'name' && place?.kind === 'value') {
      const copy = nameCopy(this.#resolveName(of.name), Number(place.value))
      return this.#repeats.has(this.#resolveName(repeat.name)) && this.#isAsked(copy) ? { ...of, name: copy } : undefined
    }
    const count = name === 'count' && args.length === 1 ? this.#repeats.get(this.#resolveName(of.name)) : undefined
    return count === undefined ? undefined : { kind: 'value', value: String(count), isNumber: true }
  }

  #countCopies(part: Expression): number | undefined {
    return part.kind === 'name' ? this.#copies.get(this.#resolveName(part.name)) : undefined
  }
}
