import type { Reporter, TestModule } from 'vitest/node'
import { readSuite } from '#app/cli/test-suites.ts'

/** How many tests of a run may need a second try. Lower it when the suite has become steadier; never raise it. */
const MOST = { newcomer: 1, rest: 3 }
const suite = readSuite(process.env['TEST_SUITE'])
const MAX_RETRIED = suite ? MOST[suite] : MOST.newcomer + MOST.rest

/** Names every test that passed only on a second try, with the error of its first, and fails the run if there are too many. */
export default class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map(
          (test) =>
            `${module.relativeModuleId}: ${test.fullName}\n    ${test.result().errors?.[0]?.message.slice(0, 500) ?? 'no error was kept'}`,
        ),
    )
    if (retried.length === 0) return
    console.log(`\n${retried.length} of at most ${MAX_RETRIED} tests were retried:\n${retried.map((name) => `  ${name}`).join('\n')}`)
    if (retried.length > MAX_RETRIED) {
      console.error(`More than ${MAX_RETRIED} tests were retried: the suite has become unsteady.`)
      process.exitCode = 1
    }
  }
}
