/** A fault that is planted in the product, and the tests of which at least one must then fail. */
export interface Mutant {
  /** What the product would do wrong. */
  name: string
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  /** Files or folders, from the top of the repository. */
  tests: readonly string[]
}
