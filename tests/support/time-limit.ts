import type { Reporter, SerializedError, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node'

/** Until when tests may begin, in seconds since 1970. Without it there is no limit. */
const UNTIL = Number(process.env['BEGIN_TESTS_UNTIL'] || Infinity)

/** A run that left out a larger share of its files has not shown enough to pass. */
const MOST_LEFT = 1 / 5

/**
 * Begins no test after `BEGIN_TESTS_UNTIL`, and names the files that were not run to their end. It is for machines that stop a run after a fixed
 * time: what was run before still counts there. A run that was cut short passes if nothing failed until
 * then and most files were run.
 */
export default class TimeLimit implements Reporter {
  private vitest: Vitest | undefined
  private asked: readonly TestSpecification[] = []
  private timer: NodeJS.Timeout | undefined
  private isOver = false

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.asked = specifications
    if (UNTIL === Infinity) return
    const end = () => {
      this.isOver = true
      void this.vitest?.cancelCurrentRun('test-failure')
    }
    this.timer = setTimeout(end, Math.max(UNTIL * 1000 - Date.now(), 0))
  }

  onTestRunEnd(modules: readonly TestModule[], faults: readonly SerializedError[], reason: TestRunEndReason): void {
    clearTimeout(this.timer)
    if (!this.isOver) return
    const complete = new Set(modules.filter(isComplete).map(({ moduleId }) => moduleId))
    const left = this.asked
      .filter(({ moduleId }) => !complete.has(moduleId))
      .map(({ testModule, moduleId }) => testModule?.relativeModuleId ?? moduleId)
    console.log(
      `\nTime was up: ${left.length} of ${this.asked.length} files were not run to their end.\n${left.map((file) => `  ${file}`).join('\n')}`,
    )
    // Vitest counts each run that was cut short as failed.
    const isEnough = left.length <= this.asked.length * MOST_LEFT
    if (reason === 'interrupted' && isEnough && faults.length === 0 && modules.every((module) => module.ok())) process.exitCode = undefined
  }
}

const isComplete = (module: TestModule): boolean =>
  ['passed', 'failed'].includes(module.state()) &&
  [...module.children.allTests()].every(
    (test) => test.result().state !== 'pending' && (test.result().state !== 'skipped' || test.options.mode !== 'run'),
  )
