import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

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

/** Faults whose text is not in the source once, or whose tests are gone: each has to follow the source. */
export const listStaleMutants = (mutants: readonly Mutant[]): string[] =>
  mutants
    .filter(({ file, from, tests }) => {
      const path = join(ROOT, file)
      return (
        !existsSync(path) || readFileSync(path, 'utf8').split(from).length !== 2 || !tests.every((test) => existsSync(join(ROOT, test)))
      )
    })
    .map(({ name, file }) => `${name} (${file})`)
