import fc from 'fast-check'
import type { ApiAnswer } from '#tests/support/api.ts'

/** Sequences that a test tries. `MODEL_RUNS=500` tries as many instead, other ones each time unless `MODEL_SEED` is set. */
const { MODEL_RUNS, MODEL_SEED } = process.env

/** How long a test may run. */
export const MODEL_TIMEOUT_MS = MODEL_RUNS ? 3_600_000 : 300_000
/** How long it may look for the shortest sequence that shows a difference. */
const INTERRUPT_AFTER_MS = MODEL_TIMEOUT_MS - 20_000

/**
 * Runs random sequences of commands against the product and a model of it, which is written from what the product promises. On a
 * difference, the shortest sequence that shows it is printed.
 * @param setUp makes a model and something real that agree, for each sequence anew
 */
export async function compareWithModel<Model extends object, Real>(
  setUp: () => Promise<{ model: Model; real: Real }>,
  commands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[],
  { runs, steps }: { runs: number; steps: number },
): Promise<void> {
  const seed = MODEL_SEED ? { seed: Number(MODEL_SEED) } : MODEL_RUNS ? {} : { seed: 1 }
  // Without the bias towards small values, which makes for short sequences of the same few.
  const sequences = fc.noBias(fc.commands(commands, { maxCommands: steps, size: 'max' }))
  const property = fc.asyncProperty(sequences, async (sequence) => fc.asyncModelRun(setUp, sequence))
  await fc.assert(property, {
    ...seed,
    numRuns: MODEL_RUNS ? Number(MODEL_RUNS) : runs,
    interruptAfterTimeLimit: INTERRUPT_AFTER_MS,
    markInterruptAsFailure: true,
  })
}

/** A command whose description says what it was called with. */
export function createCommand<Model extends object, Real>(
  text: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): fc.AsyncCommand<Model, Real> {
  return { check, run, toString: () => text }
}

/** The same command, left out of a sequence where the model says that it makes no sense. */
export const onlyIf = <Model extends object, Real>(
  command: fc.AsyncCommand<Model, Real>,
  check: (model: Readonly<Model>) => boolean,
): fc.AsyncCommand<Model, Real> => ({
  check: (model) => check(model) && command.check(model),
  run: (model, real) => command.run(model, real),
  toString: () => command.toString(),
})

/** What an answer holds. */
export const readData = (answer: ApiAnswer): unknown => answer.body?.data

/** One of those there are, chosen by a number drawn before anybody knew how many there would be. */
export const pick = <T>(from: readonly T[], at: number): T | undefined => (from.length > 0 ? from[at % from.length] : undefined)
