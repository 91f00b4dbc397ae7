import { writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findChromium } from '#tests/support/chromium.ts'
import { ballots } from './ballots.ts'
import { adminTables } from './admin-tables.ts'
import { apiRead, apiReadItem, apiReadVisitor } from './api-read.ts'
import { draftWrites, projectWrites } from './api-writes.ts'
import { documents } from './documents.ts'
import { drawChart } from './chart.ts'
import { busySite } from './busy-site.ts'
import { cityData } from './city-data.ts'
import { contributionLists, reactions } from './contributions.ts'
import { dashboard } from './dashboard.ts'
import { withBenchSetup } from './setup.ts'
import { editing } from './editing.ts'
import { GOALS } from './goals.ts'
import { growth } from './growth.ts'
import { keptHomepage, keptPage } from './kept-page.ts'
import { largestPaint } from './largest-paint.ts'
import type { Figures, Measurement } from './measurement.ts'
import { memory } from './memory.ts'
import { IS_QUICK } from './pace.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import { newsletter } from './newsletter.ts'
import { renderedHomepage, renderedPage } from './rendered-page.ts'
import { reports } from './reports.ts'
import { responses } from './responses.ts'
import { sms } from './sms.ts'
import { startTime } from './start-time.ts'
import { surveyExport } from './survey-export.ts'
import { surveyPage } from './survey-page.ts'
import { surveyResults } from './survey-results.ts'
import { themes } from './themes.ts'
import { webProcesses } from './web-processes.ts'

/**
 * `npm run bench -- page` runs those whose name contains the word; `--short` reduces all of them; `--quick` runs only those that have a goal,
 * within three minutes. Those in a browser need Chromium.
 */
const MEASUREMENTS: readonly Measurement[] = [
  keptHomepage,
  keptPage,
  renderedPage,
  renderedHomepage,
  busySite,
  surveyPage,
  pages,
  largestPaint,
  apiRead,
  apiReadVisitor,
  apiReadItem,
  responses,
  ballots,
  draftWrites,
  surveyResults,
  surveyExport,
  documents,
  themes,
  editing,
  cityData,
  contributionLists,
  reactions,
  adminTables,
  dashboard,
  reports,
  sms,
  newsletter,
  startTime,
  webProcesses,
  memory,
  people,
  // It changes which projects are on top of lists.
  projectWrites,
  // Last: it fills the platform.
  growth,
]
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url))
const CHART = fileURLToPath(new URL('results.html', import.meta.url))

const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
})
const chosen = MEASUREMENTS.filter(
  ({ name }) => (!IS_QUICK || name in GOALS) && (wanted.length === 0 || wanted.some((word) => name.includes(word))),
)
const machine = {
  node: process.version,
  system: `${platform()} ${arch()}`,
  processors: cpus().length,
  memoryGb: Math.round(totalmem() / 1e9),
  load: loadavg()[0],
  short: options.short,
  quick: options.quick,
}
const results: Record<string, Figures> = {}
let faults = 0
await withBenchSetup(options.short || options.quick, async (ground) => {
  for (const { name, run, needsChromium } of chosen) {
    if (needsChromium && !findChromium()) {
      console.log(`\n${name} is skipped: it needs Chromium, which is not on this machine (Debian: apt-get install chromium).`)
      continue
    }
    const figures = await run(ground)
    faults += figures.faults.length
    printFigures(name, figures)
    for (const [kind, ofKind] of Object.entries(figures.kinds ?? {})) printFigures(kind, ofKind)
    Object.assign(results, figures.kinds ?? { [name]: figures })
  }
})
const at = new Date().toISOString()
writeFileSync(RESULTS, `${JSON.stringify({ at, machine, results }, null, 2)}\n`)
writeFileSync(CHART, drawChart({ at, machine: `${machine.system}, ${machine.processors} processors, Node ${machine.node}`, results }))
console.log(`\nWritten to tests/bench/results.json, and beside the goals to tests/bench/results.html.`)
process.exitCode = faults ? 1 : 0

function printFigures(name: string, { summary, ratios, values, faults: found }: Figures): void {
  const list = (numbers: Record<string, number>) => Object.entries(numbers).map(([key, number]) => `${key} ${number}`)
  console.log(`\n${name}: ${list(ratios).join(', ')} of the baseline\n  ${summary}\n  ${list(values).join(', ')}`)
  for (const fault of found) console.log(`  FAULT ${fault}`)
}
