import { type Expression, mapNames } from './parse-expression.ts'

/** Calculations that name each other grow fast; a condition that becomes longer is not used. */
const MAX_NAMES = 500
const DEEPEST_CALCULATION = 20

/** Values that a file calculates, by their names in it. */
export class Calculations {
  readonly #values = new Map<string, Expression>()

  /** @param expression what it says, with names as the whole file knows them; it may name values that are calculated later */
  add(names: readonly string[], expression: Expression): void {
    for (const name of names) this.#values.set(name, expression)
  }

  find(name: string): Expression | undefined {
    return this.#values.get(name)
  }

  /**
   * The expression with calculated values in the place of their names.
   * @returns undefined if it grows too long, or if a value depends on itself
   */
  expand(expression: Expression, isAsked: (name: string) => boolean): Expression | undefined {
    let left = MAX_NAMES
    const expandNames = (part: Expression, depth: number): Expression =>
      mapNames(part, (each) => {
        left -= 1
        const value = isAsked(each.name) ? undefined : this.#values.get(each.name)
        if (!value) return each
        if (depth >= DEEPEST_CALCULATION) left = -1
        return left < 0 ? each : expandNames(value, depth + 1)
      })
    const expanded = expandNames(expression, 0)
    return left < 0 ? undefined : expanded
  }
}
