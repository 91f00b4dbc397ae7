import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listStaleMutants, type Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'

/**
 * Plants each fault of mutants.ts in a copy and runs the tests named for it. A fault is noticed if one of them fails; one that survives is
 * listed, and the command fails. `npm run mutate -- audit` plants those whose name contains the word, `npm run mutate -- 2/4` the second
 * quarter.
 */
const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['app', 'tests', 'locales', 'public', 'app.config.ts', 'tsconfig.json', 'package.json', 'README.md', 'LICENSE']
const LANES = 2

type Result = 'noticed' | 'SURVIVED' | 'UNUSABLE'

function createCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'parley-mutate-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

interface Outcome {
  passed: number
  /** Names of the tests that failed. */
  failed: string[]
}

interface Report {
  numPassedTests: number
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

/** @returns undefined if the tests could not run */
function runTests(copy: string, tests: readonly string[], more: readonly string[] = []): Promise<Outcome | undefined> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const args = [
    '--config',
    'app.config.ts',
    'run',
    '--project',
    'server',
    '--project',
    'isolated',
    '--retry=0',
    '--reporter=json',
    `--outputFile=${report}`,
    ...more,
    ...tests,
  ]
  return new Promise((done) => {
    execFile(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: copy, maxBuffer: 1e9 }, () => {
      try {
        const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
        const all = testResults.flatMap(({ assertionResults }) => assertionResults)
        done({ passed: numPassedTests, failed: all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName) })
      } catch {
        done(undefined)
      }
    })
  })
}

async function tryMutant(copy: string, { file, from, to, tests }: Mutant): Promise<Result> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) return 'UNUSABLE'
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    const found = await runTests(copy, tests, ['--bail=1'])
    if (!found || found.passed + found.failed.length === 0) return 'UNUSABLE'
    return found.failed.length > 0 ? 'noticed' : 'SURVIVED'
  } finally {
    writeFileSync(path, source)
  }
}

/** @param words of names, or a slice such as `2/4`; nothing means all */
function chooseMutants(words: readonly string[]): readonly Mutant[] {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(words[0] ?? '')?.map(Number) ?? []
  if (part && parts) return MUTANTS.filter((_, at) => at % parts === part - 1)
  return MUTANTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
}

function printTable(wanted: readonly Mutant[], results: readonly Result[]): void {
  console.log('')
  for (const [at, { name }] of wanted.entries()) console.log(`| ${(results[at] ?? 'UNUSABLE').padEnd(8)} | ${name} |`)
}

const stale = listStaleMutants(MUTANTS)
if (stale.length > 0) {
  console.log(`The source or the tests of these faults changed; bring them up to date first:\n${stale.join('\n')}`)
  process.exit(1)
}
const wanted = chooseMutants(process.argv.slice(2))
const queue = wanted.entries()
const results: Result[] = []

async function runLane(copy: string): Promise<void> {
  for (const [at, mutant] of queue) {
    const from = performance.now()
    results[at] = await tryMutant(copy, mutant)
    console.log(`${results[at].padEnd(9)} ${mutant.name} (${((performance.now() - from) / 1000).toFixed(0)} s)`)
  }
}

// All at the beginning, so that work can go on in the repository meanwhile.
const copies = Array.from({ length: LANES }, createCopy)
process.once('exit', () => copies.forEach((copy) => rmSync(copy, { recursive: true, force: true })))
process.once('SIGINT', () => process.exit(1))
// A test that fails without a fault would notice everything.
const sound = await runTests(copies[0] ?? '', [...new Set(wanted.flatMap(({ tests }) => tests))])
if (!sound || sound.failed.length > 0 || sound.passed === 0) {
  console.log(`The tests fail without any fault; mend them first:\n${sound?.failed.join('\n') ?? 'all'}`)
  process.exitCode = 1
} else {
  console.log(`${sound.passed} tests pass without a fault.`)
  await Promise.all(copies.map(runLane))
  printTable(wanted, results)
  const noticed = results.filter((result) => result === 'noticed').length
  console.log(`${noticed} of ${wanted.length} faults were noticed.`)
  process.exitCode = wanted.length > 0 && noticed === wanted.length ? 0 : 1
}
