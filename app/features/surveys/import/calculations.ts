import { type Expression, mapNames } from './parse-expression.ts'

/** Calculations that name each other grow fast; a longer one is not used. */
const MAX_NAMES = 500

/** Values that a file calculates, by their names in it. */
export class Calculations {
  readonly #values = new Map<string, Expression>()

  /** @param expression what it says, with other calculated values already in the place of their names */
  add(names: readonly string[], expression: Expression): void {
    if (countNames(expression) <= MAX_NAMES) for (const name of names) this.#values.set(name, expression)
  }

  get(name: string): Expression | undefined {
    return this.#values.get(name)
  }
}

function countNames(expression: Expression): number {
  let count = 0
  mapNames(expression, (name) => {
    count += 1
    return name
  })
  return count
}
